import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Peers are measured against, never used: the site and the command line must not know them. */
test('nothing outside this folder imports a peer', () => {
  const root = join(import.meta.dirname, '..');
  const files = ['src', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  );
  const code = files.filter((file) => /\.(tsx?|mjs)$/.test(file));
  const peer = /from '(@tensorflow|@jax-js|onnxruntime)|import\('(@tensorflow|@jax-js|onnxruntime)/;
  expect(code.filter((file) => peer.test(readFileSync(file, 'utf8')))).toEqual([]);
  expect(code.length).toBeGreaterThan(100);
});
