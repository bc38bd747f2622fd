import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkAdvantageCase, type AdvantageCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly AdvantageCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/advantage-core.json', import.meta.url), 'utf8')) as File;

/** What this project computes so far; a key that is missing here shows up as not built. */
const BUILT = [
  ...['grpo', 'drGrpo', 'rloo', 'reinforcePP', 'reinforcePPBaseline', 'gaeZero', 'gaeBootstrap', 'egae'],
  ...['gigpoStd', 'gigpoMean', 'gigpoStepRowsStd', 'hgpoStd', 'hgpoMean', 'hgpoRecipe'],
  ...['saltGrpo', 'saltRloo', 'saltGrpoTrajectoryCount', 'saltGrpoHistory'],
];

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every built estimator agrees with the case “%s”',
  (_, golden) => {
    const entries = checkAdvantageCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(
      entries
        .filter((e) => e.built)
        .map((e) => e.key)
        .sort(),
    ).toEqual([...BUILT].sort());
    expect(entries.filter((e) => e.built && !e.passed)).toEqual([]);
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
