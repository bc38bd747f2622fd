import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EnvironmentCase } from '../checks.ts';
import { checkSokobanCase, isSokobanCase } from './conformance.ts';

const file = JSON.parse(readFileSync(new URL('../fixtures/environments.json', import.meta.url), 'utf8')) as {
  tolerance: { abs: number; rel: number };
  cases: EnvironmentCase[];
};
const cases = file.cases.filter(isSokobanCase);

test('the golden file has Sokoban cases of every kind', () => {
  expect(new Set(cases.map((c) => c.kind))).toEqual(
    new Set(['sokoban', 'sokobanParse', 'sokobanCollection', 'sokobanGenerate', 'sokobanSolve', 'values']),
  );
});

test.each(cases.map((c) => [`${c.kind} ${c.name}`, c] as const))('%s equals the reference', (_name, c) => {
  const checks = checkSokobanCase(c, file.tolerance);
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.filter((check) => !check.passed)).toEqual([]);
});
