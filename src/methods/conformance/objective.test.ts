import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkObjectiveCase, type ObjectiveCase } from '../conformance.ts';
import type { Tolerance } from './check.ts';
import { dataKeys } from './objectiveData.ts';
import { unitsOf } from './units.ts';
import { vcpoRun } from './vcpo.ts';

type File = { readonly tolerance: Tolerance; readonly cases: readonly ObjectiveCase[] };
const file = JSON.parse(readFileSync(new URL('../fixtures/objective-metrics.json', import.meta.url), 'utf8')) as File;

test.each(file.cases.map((c) => [c.name, c] as const))(
  'every key of the case “%s” is computed and agrees',
  (_, golden) => {
    const entries = checkObjectiveCase(golden, file.tolerance);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(entries.filter((e) => !e.built || !e.passed)).toEqual([]);
  },
);

type Golden = Extract<ObjectiveCase, { kind: 'objective' }>;
const caseWith = (key: string): Golden =>
  file.cases.find((c): c is Golden => c.kind === 'objective' && Object.hasOwn(c.expected, key))!;

test('a trajectory without a step adds nothing to VCPO, and takes nothing from the others', () => {
  const { inputs, params } = caseWith('vcpo');
  const mask = inputs.mask.map((m, u) => (u < inputs.L ? 0 : m));
  const got = vcpoRun(unitsOf({ ...inputs, mask }), params) as { paper: { gradTable: Float64Array; gradNorm: number } };
  expect([...got.paper.gradTable].every(Number.isFinite)).toBe(true);
  expect(got.paper.gradNorm).toBeGreaterThan(0);
});

test('the ratio to the warmer policy of DCPO is not held at e^20, by hand', () => {
  const { inputs, params } = caseWith('dcpo');
  const [tau, gap] = [params['dcpoTemperature']!, 300];
  // one unit of two legal actions, the chosen one 300 nats below: log Z is 0, so ϱ = e^(300 − 300/τ)
  const row = (z: readonly number[]): number[] => [...z, ...inputs.logitsOld.slice(z.length)];
  const legal = inputs.legal.map((l, b) => (b < inputs.actions ? Number(b < 2) : l));
  const far = { ...inputs, legal, logitsOld: row([0, -gap]), action: [1, ...inputs.action.slice(1)] };
  const got = dataKeys['dcpo']!(unitsOf(far), params) as { targetRatio: Float64Array };
  expect(inputs.mask[0]).toBe(1);
  expect(Math.log(got.targetRatio[0]!)).toBeCloseTo(gap - gap / tau, 6);
});
