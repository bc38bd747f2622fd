import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** The registry of environments. */
const REGISTRY = /[\\/]src[\\/]envs[\\/]registry\.ts$/;

/** The site plays one world at a time: those that come with a file `later.ts` are loaded when a task asks for them. */
export const laterWorlds: Plugin = {
  name: 'later-worlds',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !REGISTRY.test(importer)) return null;
    const later = join(dirname(importer), dirname(source), 'later.ts');
    return existsSync(later) ? later : null;
  },
};
