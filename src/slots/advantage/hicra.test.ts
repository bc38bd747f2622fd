import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { grpo } from './grpo.ts';
import { hicra } from './hicra.ts';
import { decisionPoints, openWays, strategicGrams } from './planning.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = defaultsOf(hicra.params);

test('praise grows and blame shrinks at a junction, by hand', () => {
  // GRPO ±√½. From state 7 one way leads to 8, another to 9; from 8 and 9 nothing leads on but the goal.
  const list = [
    { reward: [0, 1], state: [7, 8], action: [0, 1] },
    { reward: [0, 0], state: [7, 9], action: [1, 1] },
  ];
  const { A, parts } = hicra.run(sampleBatch(list), params);
  [1.2, 1, -0.8, -1].forEach((a, k) => expect(A[k]).toBeCloseTo(a * Math.SQRT1_2, 5));
  [0.2, 0, 0.2, 0].forEach((a, k) => expect(parts!['planning']![k]).toBeCloseTo(a * Math.SQRT1_2, 5));
  const [, planning] = hicra.explain!(sampleBatch(list), params, 0).terms;
  expect(planning!.filled).toBe('0.2 · 0.7071 · 1 = 0.1414');
  expect(planning!.quantities.at(-1)).toMatchObject({ symbol: 'n', value: 2 });
});

test('|A| stays between (1 − α) and (1 + α) of GRPO’s, with its sign', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.double({ min: 0, max: 1, noNaN: true }), (batch, alpha) => {
      const want = grpo.run(batch, defaultsOf(grpo.params)).A;
      hicra.run(batch, { ...params, alpha }).A.forEach((a, k) => {
        const size = Math.abs(want[k]!);
        expect(a * want[k]!).toBeGreaterThanOrEqual(0);
        expect(a - want[k]!).toBeGreaterThanOrEqual(0);
        // A ≤ 2·size is stored as f32: half a unit in its last place is at most 2·size·2⁻²⁴
        expect(Math.abs(a - want[k]!)).toBeLessThanOrEqual(alpha * size + size * 2 ** -23);
      });
    }),
  );
});

test('without planning steps it is GRPO', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const planMask = new Uint8Array(batch.B * batch.T);
      expect(hicra.run({ ...batch, planMask }, params).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
    }),
  );
});

test('states of different tasks make no junction', () => {
  const list = [
    { task: 0, reward: [0, 0], state: [7, 8], action: [0, 0] },
    { task: 1, reward: [0, 0], state: [7, 9], action: [1, 0] },
  ];
  expect([...decisionPoints(sampleBatch(list))]).toEqual([0, 0, 0, 0]);
});

test('a bump, a way back and one of two equally short ways are dominated', () => {
  const ways = (...state: number[][]): number[] => {
    const batch = sampleBatch(state.map((s) => ({ reward: s.map(() => 0), state: s })));
    return [...openWays(batch).subarray(0, batch.T)];
  };
  // along a corridor, with a bump at 2 and a step back from 3: everywhere one way on
  expect(ways([1, 2, 2, 3, 2, 3, 4])).toEqual([1, 1, 1, 1, 1, 1, 0]);
  // 4 is reached over 2 and over 3: where the two ways part is a junction, where they meet again is none
  expect(ways([1, 2, 4, 5], [1, 3, 4, 5])).toEqual([2, 0, 1, 0]);
  // a branch behind 2 that only the other episode took
  expect(ways([1, 2, 3], [1, 2, 4])).toEqual([1, 2, 0]);
  // 4 is reached sooner from 1 than from 2, so 2 has but one way of its own
  expect(ways([1, 2, 3], [1, 2, 4], [1, 4, 5])).toEqual([2, 1, 0]);
});

test('the goal is one place, an end without success and the step limit are none', () => {
  const list = [
    { reward: [0, 0], state: [1, 2], success: true },
    { reward: [0, 0], state: [1, 2], success: false },
    { reward: [0, 0, 0], state: [1, 2, 3], success: false },
  ];
  expect([...openWays(sampleBatch(list))]).toEqual([1, 2, 0, 1, 2, 0, 1, 2, 0]);
});

test('a sequence that successes of two tasks share is a plan wherever it occurs', () => {
  const list = [
    { task: 0, reward: [0, 0, 0, 1], action: [1, 2, 3, 0] },
    { task: 1, reward: [0, 0, 1], action: [1, 2, 3] },
    { task: 1, reward: [0, 0, 0], action: [2, 2, 3] },
    { task: 2, reward: [0, 0, 0, 0], action: [0, 1, 2, 3] },
  ];
  // 1 2 3 is in all successes of tasks 0 and 1; the failure of task 2 holds it too
  expect([...strategicGrams(sampleBatch(list), 1)]).toEqual([1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
  // with another success of task 1 that does without it, half of them hold it
  const more = sampleBatch([...list, { task: 1, reward: [1], action: [2] }]);
  expect(strategicGrams(more, 0.6).some((p) => p === 1)).toBe(false);
  expect(strategicGrams(more, 0.5).filter((p) => p === 1).length).toBe(9);
});

test.each(['hicra'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
