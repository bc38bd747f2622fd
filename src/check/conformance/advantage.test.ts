import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAdvantageCase, type AdvantageCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly AdvantageCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/advantage-core.json', import.meta.url), 'utf8')) as File;

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every key of the case “%s” is computed and agrees',
  (_, golden) => {
    const entries = checkAdvantageCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(entries.filter((e) => !e.built || !e.passed)).toEqual([]);
  },
);

test('a wrong number, a missing part and NaN are failures', () => {
  const golden = file.cases[0]!;
  const wrong = golden.expected['grpo'] as readonly number[];
  const shifted = wrong.map((value, k) => (k === 0 ? value + 0.01 : value));
  expect(checkAdvantageCase({ ...golden, expected: { grpo: shifted } }, file.tolerance)[0]!.passed).toBe(false);
  expect(checkAdvantageCase({ ...golden, expected: { grpo: wrong.slice(1) } }, file.tolerance)[0]!.passed).toBe(false);
  expect(checkAdvantageCase({ ...golden, expected: { gaeZero: { other: 1 } } }, file.tolerance)[0]!.passed).toBe(false);
  expect(checkAdvantageCase({ ...golden, expected: { unknownMethod: 1 } }, file.tolerance)[0]!.built).toBe(false);
});
