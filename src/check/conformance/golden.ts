import { readFileSync } from 'node:fs';
import {
  checkAdvantageCase,
  checkObjectiveCase,
  checkStackCase,
  type AdvantageCase,
  type ObjectiveCase,
  type StackCase,
} from '../conformance.ts';
import type { CheckEntry, Tolerance } from './check.ts';

const read = (name: string): { tolerance: Tolerance; cases: unknown[] } =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')) as {
    tolerance: Tolerance;
    cases: unknown[];
  };

/** For tests: entries of one key over all cases of the golden file of estimators. */
export function goldenAdvantage(key: string): CheckEntry[] {
  const { cases, tolerance } = read('advantage-core.json');
  return withKey(cases as AdvantageCase[], key).flatMap((c) => checkAdvantageCase(c, tolerance));
}

/** For tests: entries of one key over all cases of the golden file of objectives, metrics and optimizers. */
export function goldenObjective(key: string): CheckEntry[] {
  const { cases, tolerance } = read('objective-metrics.json');
  return withKey(cases as ObjectiveCase[], key).flatMap((c) => checkObjectiveCase(c, tolerance));
}

/** For tests: entries of one key over all cases of the golden file of released stacks. */
export function goldenStack(key: string): CheckEntry[] {
  const { cases, tolerance } = read('stacks.json');
  return withKey(cases as StackCase[], key).flatMap((c) => checkStackCase(c, tolerance));
}

/** The cases that hold a key, with this key alone. */
const withKey = <C extends AdvantageCase | ObjectiveCase | StackCase>(cases: readonly C[], key: string): C[] =>
  cases.filter((c) => Object.hasOwn(c.expected, key)).map((c) => ({ ...c, expected: { [key]: c.expected[key]! } }));
