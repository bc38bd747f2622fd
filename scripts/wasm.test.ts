import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileKernels, fileOf } from './wasm.mjs';

test('the module in the repository is what its source compiles to', async () => {
  const kept = readFileSync(join(import.meta.dirname, '..', 'src', 'wasm', 'binary.ts'), 'utf8');
  expect(fileOf(await compileKernels()) === kept, 'run node scripts/wasm.mjs').toBe(true);
});
