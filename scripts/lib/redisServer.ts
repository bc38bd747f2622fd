import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server of a test's own: nothing of it stays, and nobody else's is touched. */
export type RedisServer = { readonly port: number; readonly end: () => Promise<void> };

/** A port that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Files of a certificate and its key. */
export type Certificate = { readonly cert: string; readonly key: string };

/** A certificate that vouches for itself, made in a folder for one name, such as IP:127.0.0.1. */
export function makeCertificate(folder: string, name: string): Certificate {
  const [cert, key] = [
    join(folder, `${name.replace(/\W/g, '-')}.pem`),
    join(folder, `${name.replace(/\W/g, '-')}.key`),
  ];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const about = ['-subj', '/CN=horizon-lab-test', '-addext', `subjectAltName=${name}`, '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', ...kind, ...about], { stdio: 'pipe' });
  return { cert, key };
}

/** Starts a server, over TLS where it gets a certificate, and resolves once it takes connections. */
export async function startRedis(program: string, password: string, tls?: Certificate): Promise<RedisServer> {
  const port = await freePort();
  const listens = tls
    ? ['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no', '--tls-cert-file', tls.cert]
    : ['--port', `${port}`];
  if (tls) listens.push('--tls-key-file', tls.key, '--tls-ca-cert-file', tls.cert);
  return { port, end: await startServer(program, [...listens, '--save', '', '--requirepass', password]) };
}

/** Starts a server with these words in a folder of its own, for this machine alone. Resolves with how to end it. */
export async function startServer(program: string, own: readonly string[]): Promise<RedisServer['end']> {
  const folder = mkdtempSync(join(tmpdir(), 'horizon-redis-'));
  const words = [...own, '--bind', '127.0.0.1', '--dir', folder];
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`${program} ended with exit code ${code}: ${said.slice(-500)}`)));
  });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return end;
}
