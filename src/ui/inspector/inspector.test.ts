import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { estimators } from '../../methods/registry.ts';
import { addressOf, definitionOf, kernelsOf, paperOf } from './links.ts';
import { byAction } from './visits.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.each(estimators.map((e) => [e.id, e] as const))(
  '%s: its definition and its kernels are files of the repository',
  (id, e) => {
    expect(existsSync(join(ROOT, definitionOf(id))), definitionOf(id)).toBe(true);
    const kernels = kernelsOf(e, defaultsOf(e.params));
    expect(kernels.length > 0).toBe(e.gpu !== undefined);
    for (const path of kernels) expect(existsSync(join(ROOT, path)), path).toBe(true);
  },
);

test('kernels are those of the operations, each once', () => {
  const rloo = estimators.find((e) => e.id === 'rloo')!;
  expect(kernelsOf(rloo, {})).toEqual([
    'src/gpu/shaders/segmentStats/segmentStats.wgsl',
    'src/gpu/shaders/normalizeBy/normalizeBy.wgsl',
    'src/gpu/shaders/combine/combine.wgsl',
  ]);
});

test('sources are files of the site', () => {
  expect(addressOf('src/a.ts')).toBe('./source/src/a.ts.txt');
  expect(paperOf('2505.10978')).toBe('https://arxiv.org/abs/2505.10978');
});

test('visits of a state by action: the most frequent first, with what came of each', () => {
  // three episodes of two steps; the state was met in the steps 0, 2 and 4
  const snapshot = { T: 2, action: Uint32Array.of(3, 0, 1, 0, 3, 0), success: Uint32Array.of(1, 1, 0) };
  expect(byAction(snapshot, Uint32Array.of(0, 2, 4), Float32Array.of(1, 0.5, 0))).toEqual([
    { action: 3, visits: 2, successes: 1, toGo: 0.5 },
    { action: 1, visits: 1, successes: 1, toGo: 0.5 },
  ]);
});
