import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EnvironmentCase } from '../checks.ts';
import { checkTextmazeCase } from './conformance.ts';

const file = JSON.parse(readFileSync(new URL('../fixtures/environments.json', import.meta.url), 'utf8')) as {
  tolerance: { abs: number; rel: number };
  cases: EnvironmentCase[];
};
const isOurs = (c: EnvironmentCase): boolean =>
  c.kind.startsWith('textmaze') || (c.kind === 'values' && c.inputs['env'] === 'textmaze');
const cases = file.cases.filter(isOurs);

test('the golden file has cases of every kind', () => {
  const kinds = ['textmaze', 'textmazeGenerate', 'textmazeParse', 'textmazeVocabulary', 'values'];
  expect([...new Set(cases.map((c) => c.kind))].sort()).toEqual(kinds);
});

test.each(cases.map((c) => [`${c.kind} ${c.name}`, c] as const))('%s equals the reference', (_name, c) => {
  const checks = checkTextmazeCase(c, file.tolerance);
  expect(checks.length).toBeGreaterThanOrEqual(Object.keys(c.expected as object).includes('reward') ? 11 : 1);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
});
