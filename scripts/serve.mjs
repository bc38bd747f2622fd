// A static server for dist/ with the real headers of the site. Node only, no packages.
//
//   node scripts/serve.mjs [--dir dist] [--port 0] [--host 127.0.0.1]
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { IMMUTABLE, REVALIDATE, SECURITY_HEADERS } from './lib/headers.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.wgsl': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** The file that an address names, or null when the address is malformed or leaves the folder. */
export function fileOf(root, address) {
  let path;
  try {
    path = decodeURIComponent(address.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
  if (!path.startsWith('/') || path.includes('\0') || path.includes('\\')) return null;
  const file = resolve(root, `.${path}`);
  if (file !== root && !file.startsWith(root + sep)) return null;
  return path.endsWith('/') ? join(file, 'index.html') : file;
}

/** Starts the server. Port 0 takes a free one. Resolves to { url, port, close }. */
export async function serve({ dir = 'dist', port = 0, host = '127.0.0.1' } = {}) {
  const root = resolve(dir);
  const server = createServer((request, response) => {
    answer(root, request, response).catch((error) => {
      if (!response.headersSent) plain(response, 500, 'The file could not be read.');
      else response.destroy(error);
    });
  });
  await new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, host, done);
  });
  const taken = server.address().port;
  const close = () =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/`, port: taken, close };
}

async function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return plain(response, 405, 'Only GET and HEAD are answered here.');
  }
  const file = fileOf(root, request.url ?? '/');
  const info = file === null ? null : await stat(file).catch(() => null);
  if (info === null || !info.isFile()) return plain(response, 404, 'There is no such file.');

  const etag = `"${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}"`;
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': file.startsWith(join(root, 'assets') + sep) ? IMMUTABLE : REVALIDATE,
    ETag: etag,
  };
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Length': info.size });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await new Promise((done, failed) => {
    const stream = createReadStream(file);
    stream.once('error', failed);
    response.once('close', done);
    stream.pipe(response);
  });
}

function plain(response, status, sentence) {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': REVALIDATE,
  });
  response.end(`${sentence}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: 'dist' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
    },
  });
  const site = await serve({ dir: values.dir, port: Number(values.port), host: values.host });
  console.log(site.url);
}
