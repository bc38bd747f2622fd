import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { withoutCut } from './cutRows.ts';
import { grpo } from './grpo.ts';
import { gigpo } from './gigpo.ts';
import { sampleBatch } from './sampleBatch.ts';
import type { Estimator } from '../types.ts';

const batch = sampleBatch(
  [
    { reward: [0, 1] },
    { reward: [0] },
    { reward: [0, 0, 0], terminated: false },
    { task: 1, reward: [2], terminated: false },
  ],
  3,
);
const creditWith = (estimator: Estimator, keepInStatistics: boolean) =>
  withoutCut(estimator, { cutRows: 'filter', keepInStatistics }).run(batch, defaultsOf(estimator.params) as never);

test('kept in statistics, by hand: what was cut is compared with and does not train', () => {
  const { A, keep } = creditWith(grpo as Estimator, true);
  expect([...keep!]).toEqual([1, 1, 0, 0]);
  // R = 1, 0, 0: mean 1/3, sample std 0.57735, so 1.1547 for the winner and −0.57735 for both others
  expect(A[0]).toBeCloseTo(1.1547, 4);
  expect(A[3]).toBeCloseTo(-0.57735, 4);
});

test('left out of statistics, by hand: only what ended by itself is compared', () => {
  const { A, keep } = creditWith(grpo as Estimator, false);
  expect([...keep!]).toEqual([1, 1, 0, 0]);
  // R = 1, 0: mean 1/2, sample std 0.70711, so ±0.70711; cut episodes and padding 0
  const want = [0.70711, 0.70711, 0, -0.70711, 0, 0, 0, 0, 0, 0, 0, 0];
  want.forEach((a, k) => expect(A[k]).toBeCloseTo(a, 4));
});

test('where nothing was cut, filtering changes no number, in any form', () => {
  const whole = sampleBatch([{ reward: [0, 1], state: [1, 2] }, { reward: [0, 0], state: [1, 3] }, { reward: [1] }]);
  const params = defaultsOf(gigpo.params);
  const plain = gigpo.run(whole, params);
  for (const keepInStatistics of [true, false]) {
    const filtered = withoutCut(gigpo as Estimator, { cutRows: 'filter', keepInStatistics });
    const { A, parts, keep } = filtered.run(whole, params as never);
    expect({ A, parts, keep: [...keep!] }).toEqual({ A: plain.A, parts: plain.parts, keep: [1, 1, 1] });
  }
  expect(withoutCut(gigpo as Estimator, { cutRows: 'train', keepInStatistics: true })).toBe(gigpo);
});
