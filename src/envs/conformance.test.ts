import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkEnvironmentCase, type EnvironmentCase } from './conformance.ts';

const file = JSON.parse(readFileSync(new URL('./fixtures/environments.json', import.meta.url), 'utf8')) as {
  tolerance: { abs: number; rel: number };
  cases: EnvironmentCase[];
};
const built = ['rng', 'grid', 'gridParse', 'gridGenerate', 'textmazeVocabulary'];
const cases = file.cases.filter((c) => built.includes(c.kind) || (c.kind === 'values' && c.inputs['env'] === 'grid'));

test('the golden file has cases for every kind that is built', () => {
  expect(new Set(cases.map((c) => c.kind))).toEqual(new Set([...built, 'values']));
});

test.each(cases.map((c) => [`${c.kind} ${c.name}`, c] as const))('%s equals the reference', (_name, c) => {
  const checks = checkEnvironmentCase(c, file.tolerance);
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
});
