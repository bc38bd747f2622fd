import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generalizedAdvantage } from '../generalizedAdvantage.ts';
import { comparedByRole, hierarchicalAdvantage, type HaeRule, type Switched } from './hae.ts';

const eighths = fc.integer({ min: -16, max: 16 }).map((x) => x / 8);
const T = 6;
const row = fc.integer({ min: 1, max: T }).chain((n) => {
  const list = fc.array(eighths, { minLength: n, maxLength: n });
  const switched = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: n, maxLength: n });
  const isEnd = fc.integer({ min: 0, max: 1 });
  return fc.record({
    n: fc.constant(n),
    switched,
    reward: list,
    low: list,
    high: list,
    term: list,
    isEnd,
    final: eighths,
  });
});
const batches = fc.array(row, { minLength: 1, maxLength: 5 }).map((rows) => {
  const flat = (of: (r: (typeof rows)[number]) => readonly number[]): Float32Array =>
    Float32Array.from(rows.flatMap((r) => Array.from({ length: T }, (_, t) => of(r)[t] ?? 0)));
  return {
    ...{ B: rows.length, T, length: Uint32Array.from(rows, (r) => r.n) },
    terminated: Uint32Array.from(rows, (r) => r.isEnd),
    ...{ reward: flat((r) => r.reward), switched: flat((r) => r.switched), valueLow: flat((r) => r.low) },
    ...{ valueHigh: flat((r) => r.high), valueTerm: flat((r) => r.term) },
    valueLowFinal: Float32Array.from(rows, (r) => r.final),
  };
});
const rule: HaeRule = { gamma: 0.9, lambdaLow: 0.8, lambdaHigh: 0.7, cut: 'final' };

function close(got: ArrayLike<number>, want: ArrayLike<number>): void {
  expect(got.length).toBe(want.length);
  for (let k = 0; k < want.length; k++) expect(Math.abs(got[k]! - want[k]!)).toBeLessThan(1e-4);
}
const firstSteps = (x: ArrayLike<number>): number[] => Array.from(x).filter((_, k) => k % T === 0);

test('two segments by hand: the first closes with what the planner expects of the second', () => {
  const batch: Switched = {
    ...{ B: 1, T: 3, length: [3], terminated: [1], reward: [0, 0.5, 1], switched: [0, 0, 1] },
    ...{ valueLow: [0.25, 0.5, 0.75], valueHigh: [0.5, 9, 1], valueTerm: [0, 0.25, 0.5], valueLowFinal: [9] },
  };
  const { action, subgoal, switch: ofSwitch, segmentStart, segmentReturn } = hierarchicalAdvantage(batch, rule);
  // step 2: 1 − 0.75; step 1: 0.5 + 0.9·1 − 0.5 = 0.9; step 0: 0.9·0.5 − 0.25 + 0.9·0.8·0.9 = 0.848
  close(action.adv, [0.848, 0.9, 0.25]);
  // second: 1 − 1 = 0; first: 0.9·0.5 + 0.81·1 − 0.5 + 0.81·0.7·0 = 0.76
  close(subgoal.adv, [0.76, 0, 0]);
  close(subgoal.target, [1.26, 0, 1]);
  // to the end of the segment: 0.9·(0.5 + 0.9·1) = 1.26, 1.4, 1
  close(ofSwitch.target, [1.26, 1.4, 1]);
  close(ofSwitch.adv, [1.26, 1.15, 0.5]);
  expect([...segmentStart]).toEqual([0, 0, 2]);
  close(segmentReturn, [0.45, 0, 1]);
});

test('a single segment is plain GAE on the values of the executor', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const whole = { ...batch, switched: new Float32Array(batch.B * T) };
      const flat = { ...batch, value: batch.valueLow, valueFinal: batch.valueLowFinal };
      for (const [cut, flatCut] of [
        ['final', 'bootstrap'],
        ['zero', 'zero'],
        ['last', 'egae'],
      ] as const) {
        const { action } = hierarchicalAdvantage(whole, { ...rule, cut });
        close(action.adv, generalizedAdvantage(flat, rule.gamma, rule.lambdaLow, flatCut).adv);
      }
    }),
    { numRuns: 60 },
  );
});

test('with a switch at every step an action is judged by one step, and the planner by GAE over its own values', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const always = { ...batch, switched: new Float32Array(batch.B * T).fill(1) };
      const { action, subgoal, switch: ofSwitch } = hierarchicalAdvantage(always, rule);
      const flat = { ...batch, value: batch.valueHigh, valueFinal: batch.valueLowFinal };
      close(subgoal.adv, generalizedAdvantage(flat, rule.gamma, rule.lambdaHigh, 'bootstrap').adv);
      const oneStep = generalizedAdvantage(flat, rule.gamma, 0, 'bootstrap').target;
      close(ofSwitch.target, oneStep);
      close(action.target, oneStep);
    }),
    { numRuns: 60 },
  );
});

test('beyond its segment an action learns of reward through the planner alone', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const later = { ...batch, reward: batch.reward.slice() };
      const before = hierarchicalAdvantage(batch, rule);
      // more is paid in every segment but the first of each episode
      for (let k = 0; k < later.reward.length; k++) if (before.segmentStart[k]! > 0) later.reward[k]! += 2;
      const after = hierarchicalAdvantage(later, rule);
      for (let k = 0; k < later.reward.length; k++)
        if (before.segmentStart[k] === 0) {
          expect(after.action.adv[k]).toBe(before.action.adv[k]);
          expect(after.switch.adv[k]).toBe(before.switch.adv[k]);
        }
    }),
    { numRuns: 60 },
  );
});

test('each role is compared among its own steps; one segment in the whole batch gives its subgoal 0', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const credit = hierarchicalAdvantage(batch, rule);
      const { subgoal, action } = comparedByRole(credit, T);
      for (let k = 0; k < subgoal.length; k++) {
        if (credit.segmentStart[k] !== k % T) expect(subgoal[k]).toBe(0);
        if (credit.segmentStart[k] === -1) expect(action[k]).toBe(0);
      }
    }),
    { numRuns: 40 },
  );
  const alone: Switched = {
    ...{ B: 1, T, length: [2], terminated: [0], reward: [1, 0, 0, 0, 0, 0], switched: [1, 0, 0, 0, 0, 0] },
    ...{ valueLow: Array<number>(T).fill(0), valueHigh: Array<number>(T).fill(0), valueTerm: Array<number>(T).fill(0) },
    valueLowFinal: [0.5],
  };
  expect(firstSteps(comparedByRole(hierarchicalAdvantage(alone, rule), T).subgoal)).toEqual([0]);
});
