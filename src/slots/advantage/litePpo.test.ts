import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { grpo } from './grpo.ts';
import { litePpo } from './litePpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('the mean of the group over the spread of the batch, by hand', () => {
  // Task 0: R = 1, 0 → ±0.5. Task 1: R = 2, 0 → ±1. Batch R = 1, 0, 2, 0: mean 0.75, sample variance 2.75/3.
  const list = [{ reward: [1] }, { reward: [0] }, { task: 1, reward: [2] }, { task: 1, reward: [0] }];
  const { A } = litePpo.run(sampleBatch(list), defaultsOf(litePpo.params));
  const s = Math.sqrt(2.75 / 3);
  [0.5 / s, -0.5 / s, 1 / s, -1 / s].forEach((a, i) => expect(A[i]).toBeCloseTo(a, 5));
});

test('the sign is that of GRPO', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const want = grpo.run(batch, defaultsOf(grpo.params)).A;
      litePpo
        .run(batch, defaultsOf(litePpo.params))
        .A.forEach((a, k) => expect(Math.sign(a)).toBe(Math.sign(want[k]!)));
    }),
  );
});

test.each(['litePpo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
