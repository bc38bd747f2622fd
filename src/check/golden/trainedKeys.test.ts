import { expect, test } from 'vitest';
import { compare, type Golden } from '../conformance/check.ts';
import { checkObjectiveCase, type ObjectiveCase } from '../conformance.ts';
import { objectiveKeyIssue } from '../conformance/inputShapes.ts';
import { objectiveKeys } from '../conformance/objective.ts';
import { unitsOf } from '../conformance/units.ts';
import file from '../fixtures/objective-metrics.json' with { type: 'json' };
import { trainedKeys } from './trainedKeys.ts';
import { trainedMetrics } from './trainedMetrics.ts';

type Case = Extract<ObjectiveCase, { kind: 'objective' }>;
const all = file.cases as unknown as ObjectiveCase[];
const cases = all.filter((c) => c.kind === 'objective') as Case[];
const trained = { objective: trainedKeys, metrics: trainedMetrics };
const caseWith = (key: string): Case => cases.find((c) => Object.hasOwn(c.expected, key))!;

test.each(cases.map((c) => [c.name, c] as const))(
  'every key of the case “%s” is computed, its objectives by what trains, and agrees',
  (_, golden) => {
    const entries = checkObjectiveCase(golden, file.tolerance, trained);
    expect(entries.map((e) => e.key)).toEqual(Object.keys(golden.expected));
    expect(entries.filter((e) => !e.built || !e.passed)).toEqual([]);
    for (const key of ['stepRatio', 'dcpo', 'rover', 'nlpo', 'gspo', 'ppo_constant'])
      expect(Object.keys(trainedKeys(unitsOf(golden.inputs), golden.params))).toContain(key);
  },
);

/** Typed arrays as lists, as golden files hold them. */
const plain = (x: unknown): Golden =>
  ArrayBuffer.isView(x)
    ? [...(x as Float64Array)]
    : Array.isArray(x)
      ? x.map(plain)
      : typeof x === 'object' && x !== null
        ? Object.fromEntries(Object.entries(x).map(([name, part]) => [name, plain(part)]))
        : (x as number);

test.each([
  ['a row without a unit', (i: number) => i !== 1],
  ['steps without their first unit', (_: number, l: number) => l > 0],
  ['every third unit left out', (i: number, l: number) => (i + l) % 3 > 0],
] as const)('what trains agrees with the definition where a case has %s', (_, has) => {
  for (const { inputs, params } of cases) {
    const mask = inputs.mask.map((m, u) => (has(Math.floor(u / inputs.L), u % inputs.L) ? m : 0));
    const units = unitsOf({ ...inputs, mask });
    for (const [key, compute] of Object.entries(trainedKeys(units, params))) {
      if (!Object.hasOwn(objectiveKeys, key)) continue;
      const want = plain(objectiveKeys[key]!(units, params));
      expect({ key, ...compare(compute(units, params), want, file.tolerance) }).toMatchObject({ key, passed: true });
    }
  }
});

test('metrics of ratios are those that an update records', () => {
  for (const golden of all) {
    if (golden.kind !== 'metrics') continue;
    const entries = checkObjectiveCase(golden, file.tolerance, trained);
    expect(entries.map((e) => e.key)).toContain('ratio');
    expect(entries.filter((e) => !e.built || !e.passed)).toEqual([]);
  }
});

test('every parameter that an objective reads is asked for, and no other', () => {
  for (const golden of cases) {
    const units = unitsOf(golden.inputs);
    const computed = { ...objectiveKeys, ...trainedKeys(units, golden.params) };
    for (const key of Object.keys(golden.expected)) {
      const asked = Object.keys(golden.params).filter((name) => {
        const { [name]: _, ...others } = golden.params;
        return objectiveKeyIssue(key, others, golden.inputs) !== null;
      });
      const read = new Set<string>();
      const spied = new Proxy(golden.params, {
        get: (params, name: string) => {
          read.add(name);
          return params[name];
        },
      });
      computed[key]!(units, spied);
      expect({ key, asked: asked.sort() }).toEqual({ key, asked: [...read].sort() });
    }
  }
});

test('a table that is missing fails VCPO with one sentence', () => {
  const golden = caseWith('vcpo');
  const { states: _, ...inputs } = golden.inputs;
  const [entry] = checkObjectiveCase(
    { ...golden, inputs: inputs as Case['inputs'], expected: { vcpo: golden.expected['vcpo']! } },
    file.tolerance,
    trained,
  );
  expect(entry).toMatchObject({ passed: false, reason: 'inputs.states is missing.' });
});

test('a trajectory without a step adds nothing to VCPO, and takes nothing from the others', () => {
  const { inputs, params } = caseWith('vcpo');
  const mask = inputs.mask.map((m, u) => (u < inputs.L ? 0 : m));
  const units = unitsOf({ ...inputs, mask });
  const got = trainedKeys(units, params)['vcpo']!(units, params) as {
    paper: { gradTable: Float64Array; gradNorm: number };
  };
  expect([...got.paper.gradTable].every(Number.isFinite)).toBe(true);
  expect(got.paper.gradNorm).toBeGreaterThan(0);
});

test('the ratio to the warmer policy of DCPO is not held, by hand', () => {
  const { inputs, params } = caseWith('dcpo');
  const [tau, gap] = [params['dcpoTemperature']!, 80];
  // one unit of two legal actions, the chosen one 80 nats below: log Z is 0, so ϱ = e^(80 − 80/τ)
  const row = (z: readonly number[]): number[] => [...z, ...inputs.logitsOld.slice(z.length)];
  const legal = inputs.legal.map((l, b) => (b < inputs.actions ? Number(b < 2) : l));
  const far = { ...inputs, legal, logitsOld: row([0, -gap]), action: [1, ...inputs.action.slice(1)] };
  const units = unitsOf(far);
  const got = trainedKeys(units, params)['dcpo']!(units, params) as { targetRatio: Float64Array };
  expect(inputs.mask[0]).toBe(1);
  expect(Math.log(got.targetRatio[0]!)).toBeCloseTo(gap - gap / tau, 5);
});

test('what no run could meet is not built: a temperature that training would not choose, more than 32 actions', () => {
  const golden = caseWith('dcpo');
  const entryOf = (key: string, changes: object) =>
    checkObjectiveCase(
      { ...golden, ...changes, expected: { [key]: golden.expected[key]! } } as ObjectiveCase,
      file.tolerance,
      trained,
    )[0];
  expect(entryOf('dcpo', { params: { ...golden.params, dcpoTemperature: 0.8 } })).toMatchObject({ built: false });
  const n = golden.inputs.mask.length;
  const one = (x: number): number[] => Array<number>(n * 33).fill(x);
  const wide = {
    ...{ actions: 33, legal: one(1), logits: one(0), logitsOld: one(0), logitsProx: one(0) },
    ...{ logitsMu: one(0), logitsRef: one(0) },
  };
  expect(entryOf('stepRatio', { inputs: { ...golden.inputs, ...wide } })).toMatchObject({ built: false });
  expect(entryOf('reinforce', { inputs: { ...golden.inputs, ...wide } })).toMatchObject({ built: true, passed: false });
});
