import { readFileSync } from 'node:fs';
import { checkAdvantageCase, checkObjectiveCase, type AdvantageCase, type ObjectiveCase } from '../conformance.ts';
import type { CheckEntry, Tolerance } from './check.ts';

const read = (name: string): { tolerance: Tolerance; cases: unknown[] } =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')) as {
    tolerance: Tolerance;
    cases: unknown[];
  };

/** For tests: entries of one key over all cases of the golden file of estimators. */
export function goldenAdvantage(key: string): CheckEntry[] {
  const { cases, tolerance } = read('advantage-core.json');
  return (cases as AdvantageCase[]).flatMap((c) => checkAdvantageCase(only(c, key), tolerance));
}

/** For tests: entries of one key over all cases of the golden file of objectives, metrics and optimizers. */
export function goldenObjective(key: string): CheckEntry[] {
  const { cases, tolerance } = read('objective-metrics.json');
  return (cases as ObjectiveCase[]).flatMap((c) => checkObjectiveCase(only(c, key), tolerance));
}

/** The case with one expected key, or with none if it does not hold the key. */
function only<C extends AdvantageCase | ObjectiveCase>(golden: C, key: string): C {
  const { expected } = golden;
  return { ...golden, expected: Object.hasOwn(expected, key) ? { [key]: expected[key]! } : {} };
}
