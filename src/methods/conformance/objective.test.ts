import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkObjectiveCase, type ObjectiveCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly ObjectiveCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/objective-metrics.json', import.meta.url), 'utf8')) as File;

/** Metrics without a definition so far; everything else of every case is computed. */
const NOT_BUILT = ['staleness', 'precision', 'ablation'];

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every built definition agrees with the case “%s”',
  (_, golden) => {
    const entries = checkObjectiveCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(entries.filter((e) => e.built && !e.passed)).toEqual([]);
    expect(entries.filter((e) => !e.built && !NOT_BUILT.includes(e.key))).toEqual([]);
  },
);
