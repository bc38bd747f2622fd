import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * The folder `dir` at `path` of a server that knows nothing of the lab: types by the ending of a name, and no other header.
 */
export async function servePlainly(dir: string, path: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    asked.push(pathname);
    const name = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    const found = name.startsWith(path) ? readFile(join(dir, name.slice(path.length))) : Promise.reject(new Error());
    found.then(
      (bytes) => response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, asked, close };
}
