// npm start: installs what is missing, builds the production site, serves it and opens it.
//
//   npm start -- [--no-open] [--port N]
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { ROOT, tool } from './lib/process.mjs';
import { serve } from './serve.mjs';

/** Opens an address in the default browser; a machine without one only has the printed address. */
function open(url) {
  const [program, args] = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '', url]],
  }[process.platform] ?? ['xdg-open', [url]];
  spawn(program, args, { stdio: 'ignore', detached: true })
    .once('error', () => {})
    .unref();
}

async function main() {
  const { values } = parseArgs({
    options: { 'no-open': { type: 'boolean', default: false }, port: { type: 'string', default: '0' } },
  });
  await ensureInstalled();
  const { code } = await tool('vite', ['build'], { timeoutMs: 5 * 60_000 });
  if (code !== 0) throw new Error('The site could not be built; the lines above say why.');

  const site = await serve({ dir: join(ROOT, 'dist'), port: Number(values.port) });
  console.log(`\nHorizon Lab is at ${site.url}\nPress Ctrl+C to stop it.`);
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!values['no-open'] && !process.env.CI && display) open(site.url);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      site.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
