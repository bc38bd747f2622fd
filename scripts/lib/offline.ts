import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ISOLATING, ISOLATING_FRAME } from './headers.mjs';

/** For whoever looks into them, for hosts, and what another form of a file is. */
const OMITTED = /(\.map|\.br|\.gz)$|^source\/|^_headers$|^sw\.js$/;

/** Files that a page without a connection needs, by their names in the built site: the page itself is its folder. */
export function filesOffline(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !OMITTED.test(name) && statSync(join(dir, name)).isFile())
    .map((name) => (name === 'index.html' ? './' : name))
    .sort();
}

/** The service worker of a built site: its version is a hash of the files, so that any change of one is another version. */
export function serviceWorkerOf(dir: string, template: string): string {
  const files = filesOffline(dir);
  const hash = createHash('sha256');
  for (const name of files) hash.update(name).update(readFileSync(join(dir, name === './' ? 'index.html' : name)));
  return template
    .replace('%VERSION%', hash.digest('hex').slice(0, 16))
    .replace("'%FILES%'", () => JSON.stringify(files))
    .replace("'%ISOLATING%'", () => JSON.stringify(ISOLATING))
    .replace("'%ISOLATING_FRAME%'", () => JSON.stringify(ISOLATING_FRAME));
}

/** Writes `sw.js` beside the page. */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  enforce: 'post',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir }) {
      if (dir === undefined) return;
      const template = readFileSync(join(import.meta.dirname, 'serviceWorker.js'), 'utf8');
      writeFileSync(join(dir, 'sw.js'), serviceWorkerOf(dir, template));
    },
  },
};
