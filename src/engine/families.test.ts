import fc from 'fast-check';
import { expect, test } from 'vitest';
import { log } from '../core/fmath.ts';
import { essFromLogWeights, familyWeights } from '../core/math/ess.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { sampleBatch, type SampleTrajectory } from '../slots/advantage/sampleBatch.ts';
import { emptyTally } from './cpu/policy.ts';
import { recordStart, recordUpdate } from './cpu/record.ts';
import type { Plan } from './plan.ts';

const NONE: readonly (readonly number[])[] = [];

test('by hand: a family counts with the mean of its weights, once', () => {
  const weights = [1, 4, 3, 2].map(log);
  const { logWeights, groups } = familyWeights(weights, [0, 1, 0, 0], [[0, 2], [1], [3]]);
  // (1 + 3 + 2)/3 and 4
  expect([...logWeights].map(Math.exp)).toEqual([expect.closeTo(2, 12), expect.closeTo(4, 12)]);
  expect(groups).toEqual([[0], [1], [0]]);
  // 6² / (2·(4 + 16))
  expect(essFromLogWeights(logWeights)).toBeCloseTo(0.9, 12);
});

const lambdas = fc.array(fc.double({ min: -400, max: 400, noNaN: true }), { minLength: 1, maxLength: 9 });

test('families of one change nothing, to the bit; twins of every row change nothing; a twin of one row does not raise its share', () => {
  fc.assert(
    fc.property(lambdas, (x) => {
      const alone = familyWeights(x, [...x.keys()], [[...x.keys()]]);
      expect([...alone.logWeights]).toEqual(x);
      expect(alone.groups).toEqual([[...x.keys()]]);
      const share = essFromLogWeights(x);
      const twins = familyWeights([...x, ...x], [...x.keys(), ...x.keys()], NONE);
      expect(essFromLogWeights(twins.logWeights)).toBeCloseTo(share, 9);
      const one = familyWeights([...x, x[0]!, x[0]!], [...x.keys(), 0, 0], NONE);
      expect(essFromLogWeights(one.logWeights)).toBeCloseTo(share, 9);
    }),
  );
});

/** Δ of the only step of each episode, as an update records it. */
function recorded(delta: readonly number[], rows: readonly SampleTrajectory[], measured?: readonly number[]) {
  const batch = { ...sampleBatch(rows), ...(measured ? { measured: Uint8Array.from(measured) } : {}) };
  const plan = { B: batch.B, T: batch.T, critic: null } as unknown as Plan;
  const ratios = { s: 0, delta: Float32Array.from(delta), A: new Float32Array(batch.B), unitsAt: () => 1 };
  const metrics = new Float64Array(METRICS);
  const end = { ...emptyTally(), steps: measured ? measured.filter((m) => m > 0).length : batch.B };
  const done = { learned: end, end, compares: false, gradNorm: 0, optimizerSteps: 1 };
  recordUpdate(plan, batch, ratios, done, metrics);
  const trajectories = Uint32Array.from(rows.keys());
  recordStart(plan, batch, ratios, { trajectories, approxKL: 0, units: 1 }, metrics);
  return (id: MetricId): number => metrics[metricIndex[id]]!;
}

test('an update counts families: of all, in groups, with cut weights, at its start; single episodes as before', () => {
  const step = { reward: [0] };
  const delta = [log(2), log(8), log(4), 0, log(32)];
  const rows = [step, { ...step, task: 1 }, { ...step, parent: 0 }, { ...step, task: 1 }, { ...step, parent: 2 }];
  const of = recorded(delta, rows);
  // weights (2 + 4 + 32)/3; 8 and 1
  const share = (w: number[]): number => w.reduce((a, b) => a + b) ** 2 / (w.length * w.reduce((a, b) => a + b * b, 0));
  for (const id of ['ess', 'essStart'] as const) expect(of(id), id).toBeCloseTo(share([38 / 3, 8, 1]), 6);
  expect(of('essClipped')).toBeCloseTo(share([8, 8, 1]), 6);
  expect(of('essGroup')).toBeCloseTo((1 + share([8, 1])) / 2, 6);
  // what is about single episodes stays so
  expect(of('maxShare')).toBeCloseTo(32 / 47, 6);
  expect(of('weightMean')).toBeCloseTo(47 / 5, 5);
  const alone = recorded(
    delta,
    rows.map(({ reward }, i) => ({ reward, task: i % 2 })),
  );
  expect(alone('ess')).toBe(essFromLogWeights(Float32Array.from(delta)));
});

test('forks of a root that is not measured are still one family', () => {
  const step = { reward: [0] };
  const of = recorded(
    [5, 0, log(3), log(2)],
    [step, { ...step, parent: 0 }, { ...step, parent: 0 }, step],
    [0, 1, 1, 1],
  );
  // (1 + 3)/2 and 2
  expect(of('ess')).toBeCloseTo(1, 6);
});
