import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { offeredEstimators as runs } from './offered.ts';
import { checkRules } from './rules.ts';
import { configWith } from './schema.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const hintsOf = (changes: Readonly<Record<string, unknown>>): string[] =>
  checkRules(configWith(changes))
    .filter((i) => i.path === 'advantage.method' && i.severity === 'hint' && i.message.includes('on the CPU'))
    .map((i) => i.message);

test('docs/architecture.md names the estimators without a WebGPU form, all of them and no others', () => {
  const [, names] = /These are: ([^;]*);/.exec(read('docs/architecture.md').replace(/\s+/g, ' '))!;
  expect(names!.split(', ')).toEqual(runs.filter((e) => !e.gpu).map((e) => e.title));
  expect(read('README.md')).toContain('docs/architecture.md#credit-on-the-cpu');
});

test.each(runs.map((e) => [e.id, e] as const))('%s: the form says where its credit is computed', (id, e) => {
  const changes = { 'advantage.method': id };
  expect(hintsOf({ ...changes, 'run.backend': 'webgpu' })).toHaveLength(e.gpu ? 0 : 1);
  expect(hintsOf({ ...changes, 'run.backend': 'auto' })).toHaveLength(e.gpu ? 0 : 1);
  expect(hintsOf({ ...changes, 'run.backend': 'cpu' })).toEqual([]);
});

test('a setting that the WebGPU form does not know is told, too', () => {
  const hicra = { 'advantage.method': 'hicra', 'run.backend': 'webgpu' };
  expect(hintsOf(hicra)).toEqual([]);
  expect(hintsOf({ ...hicra, 'advantage.hicra.plan': 'grams' })).toHaveLength(1);
});
