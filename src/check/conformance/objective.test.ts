import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkObjectiveCase, type ObjectiveCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly ObjectiveCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/objective-metrics.json', import.meta.url), 'utf8')) as File;

/** What only training puts together: src/check/golden checks it there. */
const TRAINED = ['stepRatio', 'dcpo', 'rover', 'nlpo', 'vcpo'];

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every key of the case “%s” that is a definition is computed and agrees; the others are listed as not built',
  (_, golden) => {
    const entries = checkObjectiveCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    for (const { key, built, passed } of entries) {
      expect({ key, built, passed }).toEqual({ key, built: !TRAINED.includes(key), passed: !TRAINED.includes(key) });
    }
  },
);
