// A static server for dist/ with the real headers of the site. Node only, no packages.
//
//   node scripts/serve.mjs [--dir dist] [--port 0] [--host 127.0.0.1]
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pipeline } from 'node:stream/promises';
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

/** True if a path below the folder is what it says: a link could lead anywhere, and a built site has none. */
async function isItself(root, file) {
  const real = await realpath(file).catch(() => null);
  return real !== null && real === join(await realpath(root), relative(root, file));
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

/** Forms of a file that the build has laid beside it, the smallest first. */
const FORMS = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** True if a header such as `gzip, br;q=0.5, zstd;q=0` takes this encoding. */
export function accepts(header, encoding) {
  return (header ?? '').split(',').some((part) => {
    const [name, ...params] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !params.some((param) => /^q=0(\.0*)?$/.test(param));
  });
}

/** What is sent for a file: its smallest form that the browser takes, if that is as new as the file; else the file. */
async function smallest(root, file, info, header) {
  for (const [encoding, ending] of FORMS) {
    if (!accepts(header, encoding)) continue;
    const form = file + ending;
    const found = (await isItself(root, form)) ? await stat(form).catch(() => null) : null;
    if (found?.isFile() && found.mtimeMs >= info.mtimeMs) return { sent: form, size: found.size, encoding };
  }
  return { sent: file, size: info.size, encoding: null };
}

async function answer(root, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return plain(response, 405, 'Only GET and HEAD are answered here.');
  }
  const file = fileOf(root, request.url ?? '/');
  const info = file !== null && (await isItself(root, file)) ? await stat(file).catch(() => null) : null;
  if (info === null || !info.isFile()) return plain(response, 404, 'There is no such file.');

  const { sent, size, encoding } = await smallest(root, file, info, request.headers['accept-encoding']);
  const etag = `"${info.size.toString(36)}-${Math.trunc(info.mtimeMs).toString(36)}${encoding ? `-${encoding}` : ''}"`;
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': file.startsWith(join(root, 'assets') + sep) ? IMMUTABLE : REVALIDATE,
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  };
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Length': size });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // closes the file also when nobody waits for the rest of it
  await pipeline(createReadStream(sent), response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
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
