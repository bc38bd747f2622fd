import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reach } from '../src/cli/queue/cellQueue.ts';
import { bundleCli } from './lib/cli.mjs';
import { ROOT } from './lib/process.mjs';
import { makeCertificate, startRedis, type Certificate, type RedisServer } from './lib/redisServer.ts';
import { contents, started } from './lib/started.ts';
import { ensureRedis } from './redis.mjs';

/** What is missing for these tests; null if nothing is. */
function missing(program: string | null): string | null {
  if (program === null) return 'no server';
  if (spawnSync('openssl', ['version']).status !== 0) return 'no openssl';
  // it reads its settings and ends, as it is to listen nowhere; one that was built without TLS does not know the second
  const { stdout } = spawnSync(program, ['-'], { input: 'port 0\ntls-port 0\n', encoding: 'utf8' });
  return stdout.includes('not listen anywhere') ? null : 'its server has no TLS';
}

const { path: program, problem } = await ensureRedis();
const why = problem ?? missing(program);
const PASSWORD = 'open-sesame';

describe.skipIf(why !== null)(`a queue over TLS${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, 'queue-tls-test-'));
  const servers: RedisServer[] = [];
  let lab = '';
  let own: Certificate;
  let [safe, foreign, plain] = [0, 0, 0];
  const serve = async (tls?: Certificate): Promise<number> => {
    const server = await startRedis(program!, PASSWORD, tls);
    servers.push(server);
    return server.port;
  };
  const trusting = (cert: string): NodeJS.ProcessEnv => ({
    ...process.env,
    LAB_QUEUE_PASSWORD: PASSWORD,
    NODE_EXTRA_CA_CERTS: cert,
  });

  beforeAll(async () => {
    lab = (await bundleCli('lab', join(home, 'bundle'))) as string;
    own = makeCertificate(home, 'IP:127.0.0.1');
    safe = await serve(own);
    foreign = await serve(makeCertificate(home, 'DNS:elsewhere.invalid'));
    plain = await serve();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()));
    rmSync(home, { recursive: true, force: true });
  });

  test('with a password from the environment, a sweep and its worker leave the bytes of one machine', async () => {
    const description = join(home, 'sweep.json');
    const set = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'analysis.evalEvery': 4 };
    writeFileSync(description, JSON.stringify({ base: 'key-door', set, seeds: 2, updates: 8 }));
    const address = `rediss://127.0.0.1:${safe}`;
    const worker = started(lab, ['worker', '--queue', address, '--jobs', '1'], trusting(own.cert));
    const out = join(home, 'queued');
    const queued = await started(lab, ['sweep', description, '--queue', address, '--out', out], trusting(own.cert))
      .ended;
    worker.child.kill('SIGINT');
    expect(await worker.ended).toMatchObject({ code: 130, errors: '' });
    expect(queued).toMatchObject({ code: 0, errors: '' });
    expect(queued.out).toContain(`2 wait for workers at ${address}\n`);
    expect((await started(lab, ['sweep', description, '--jobs', '1', '--out', join(home, 'alone')]).ended).code).toBe(
      0,
    );
    expect(contents(out)).toEqual(contents(join(home, 'alone')));
  });

  test('a certificate for another name is refused, also where its authority is known', async () => {
    const words = ['worker', '--queue', `rediss://127.0.0.1:${foreign}`];
    const { code, out, errors } = await started(lab, words, trusting(join(home, 'DNS-elsewhere-invalid.pem'))).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(errors).toMatch(/^The certificate of the server at .+ is for another name than that of --queue\.\n$/);
  });

  test.each([
    [
      'an authority that nobody knows',
      () => `rediss://:${PASSWORD}@127.0.0.1:${safe}`,
      'name a file with that authority',
    ],
    [
      'a server without TLS',
      () => `rediss://:${PASSWORD}@127.0.0.1:${plain}`,
      'whether it speaks TLS: without, the address begins with redis://',
    ],
    ['a server that expects TLS', () => `redis://:${PASSWORD}@127.0.0.1:${safe}`, 'its address begins with rediss://'],
  ])('%s is refused in one sentence without a password', async (_what, address, sentence) => {
    const refused = await reach(address());
    expect(refused).toContain(sentence);
    expect(refused).toMatch(/^[^\n]+\.$/);
    expect(refused).not.toContain(PASSWORD);
  });
});
