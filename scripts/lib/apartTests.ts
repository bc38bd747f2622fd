import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Calls by which a test puts modules of its own in the place of others, or loads them again. */
const REPLACES = /\bvi\.(?:mock|doMock|resetModules)\(/;

/**
 * Tests in these folders that replace modules. Each needs a process of its own; all others share one for each core, where
 * what they import is loaded once instead of five hundred times.
 */
export function apartTests(root: string, folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((p) => `${folder}/${p}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.test\.tsx?$/.test(path) && REPLACES.test(readFileSync(join(root, path), 'utf8')));
}
