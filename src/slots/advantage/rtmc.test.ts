import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { rtmc } from './rtmc.ts';
import { sampleBatch } from './sampleBatch.ts';

test('two actions at one state, by hand', () => {
  // State 7: action 0 twice with G = 1, 0 → Q = 1/2; action 1 with G = 1 → Q = 1; V = 2/3
  const list = [
    { reward: [1], state: [7], action: [0] },
    { reward: [0], state: [7], action: [0] },
    { reward: [1], state: [7], action: [1] },
  ];
  const { A } = rtmc.run(sampleBatch(list), { gamma: 1 });
  [-1 / 6, -1 / 6, 1 / 3].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 6));
});

test('the credit of a state adds up to 0 over its visits', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = rtmc.run(batch, { gamma: 0.9 });
      const total = new Map<string, number>();
      A.forEach((a, k) => {
        const state = `${batch.taskIndex[Math.floor(k / batch.T)]} ${batch.stateKey[2 * k + 1]}`;
        total.set(state, (total.get(state) ?? 0) + a);
      });
      for (const t of total.values()) expect(Math.abs(t)).toBeLessThan(1e-4);
    }),
  );
});
