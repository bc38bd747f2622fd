import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** What stands before a world. */
const WRAPPER = /[\\/]src[\\/]slots[\\/]wrapper[\\/]\w+\.ts$/;

/** The larger ones of these are loaded when a task has them on: src/envs/perturb/later has one file for each. */
export const laterWrappers: Plugin = {
  name: 'later-wrappers',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !WRAPPER.test(importer)) return null;
    const file = join(dirname(importer), source);
    const later = join(dirname(file), 'later', basename(file));
    return existsSync(later) ? later : null;
  },
};
