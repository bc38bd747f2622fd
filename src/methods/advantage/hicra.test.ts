import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { grpo } from './grpo.ts';
import { hicra } from './hicra.ts';
import { decisionPoints, strategicGrams } from './planning.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = defaultsOf(hicra.params);

test('praise grows and blame shrinks where the episodes chose differently, by hand', () => {
  // GRPO ±√½. State 7 saw two actions, state 8 and 9 one each.
  const list = [
    { reward: [0, 1], state: [7, 8], action: [0, 1] },
    { reward: [0, 0], state: [7, 9], action: [1, 1] },
  ];
  const { A } = hicra.run(sampleBatch(list), params);
  [1.2, 1, -0.8, -1].forEach((a, k) => expect(A[k]).toBeCloseTo(a * Math.SQRT1_2, 5));
});

test('|A| stays between (1 − α) and (1 + α) of GRPO’s, with its sign', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.double({ min: 0, max: 1, noNaN: true }), (batch, alpha) => {
      const want = grpo.run(batch, {}).A;
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
      expect(hicra.run({ ...batch, planMask }, params).A).toEqual(grpo.run(batch, {}).A);
    }),
  );
});

test('states of different tasks make no decision point', () => {
  const list = [
    { task: 0, reward: [0], state: [7], action: [0] },
    { task: 1, reward: [0], state: [7], action: [1] },
  ];
  expect([...decisionPoints(sampleBatch(list))]).toEqual([0, 0]);
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
