import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from '../advantage/arbitraryBatch.ts';
import { sampleBatch } from '../advantage/sampleBatch.ts';
import { clipCredit } from './clipCredit.ts';
import { equalTasks } from './equalTasks.ts';
import type { Revised } from './types.ts';

const seen = (batch: Revised['batch']): Revised => ({ batch, probs: new Float32Array(0), actions: 2 });

test('clipCredit cuts both sides, and leaves what is small alone', () => {
  const A = Float32Array.of(7.9, -6, 0.5, 0);
  clipCredit.run(A, seen(sampleBatch([{ reward: [1] }])), { bound: 5 });
  expect([...A]).toEqual([5, -5, 0.5, 0]);
});

test('equalTasks, by hand: groups of three and one episodes, two on average', () => {
  const batch = sampleBatch([{ reward: [1] }, { reward: [0] }, { reward: [0] }, { task: 1, reward: [1] }]);
  const A = Float32Array.of(3, -3, 3, 1);
  equalTasks.run(A, seen(batch), {});
  expect([...A]).toEqual([2, -2, 2, 2]);
});

test('with equalTasks every group weighs the same, and equal groups keep their credit', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const A = new Float32Array(batch.B * batch.T).fill(1);
      equalTasks.run(A, seen(batch), {});
      const weight = new Map<number, number>();
      for (let i = 0; i < batch.B; i++)
        weight.set(batch.taskIndex[i]!, (weight.get(batch.taskIndex[i]!) ?? 0) + A[i * batch.T]!);
      for (const w of weight.values()) expect(w).toBeCloseTo(batch.B / weight.size, 4);
    }),
  );
});
