import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { sampleBatch } from './sampleBatch.ts';
import { stepSamples } from './stepSamples.ts';

test('two episodes of one task, by hand', () => {
  // rewards 1, 2 and 3: mean 2, sample std 1
  const batch = sampleBatch([{ reward: [1, 2] }, { reward: [3] }], 3);
  const { A } = stepSamples.run(batch, {});
  [-1, 0, 0, 1, 0, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('the credit of a task adds up to 0, and a shift or a scale of its rewards changes nothing', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = stepSamples.run(batch, {});
      const sums = new Map<number, number>();
      A.forEach((a, k) => {
        const task = batch.taskIndex[Math.floor(k / batch.T)]!;
        sums.set(task, (sums.get(task) ?? 0) + a);
      });
      for (const sum of sums.values()) expect(Math.abs(sum)).toBeLessThan(1e-3);
      const other = stepSamples.run({ ...batch, reward: batch.reward.map((r) => 3 * r + 1) }, {}).A;
      const isReal = (k: number): boolean => k % batch.T < batch.length[Math.floor(k / batch.T)]!;
      // ε = 1e-6 beside a spread that may be small
      A.forEach((a, k) => isReal(k) && expect(Math.abs(other[k]! - a)).toBeLessThan(1e-3));
    }),
  );
});
