import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import { estimators } from '../slots/methods.ts';
import { kernelsOf } from './creditKernels.ts';

// one of them is a text, whose language comes when it is asked for
for (const { prepare } of estimators) await prepare?.();

const ROOT = join(import.meta.dirname, '../..');

test.each(estimators.map((e) => [e.id, e] as const))('%s: its kernels are files of the repository', (_, e) => {
  const kernels = kernelsOf(e, defaultsOf(e.params));
  expect(kernels.length > 0).toBe(e.gpu !== undefined);
  for (const path of kernels) expect(existsSync(join(ROOT, path)), path).toBe(true);
});

test('kernels are those of the operations, each once', () => {
  const rloo = estimators.find((e) => e.id === 'rloo')!;
  expect(kernelsOf(rloo, {})).toEqual([
    'src/gpu/shaders/credit/segmentStats/segmentStats.wgsl',
    'src/gpu/shaders/credit/normalizeBy/normalizeBy.wgsl',
    'src/gpu/shaders/credit/combine/combine.wgsl',
  ]);
});
