import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { dual } from './dual.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = defaultsOf(dual.params);

test('both parts by hand: episodes that agree still learn from their steps', () => {
  // both fail; scores 1, 0 and 0.5 have mean ½ and a spread over n of √(1/6): ±½/√(1/6) = ±√1.5, half of it with β = ½
  const list = [
    { reward: [0, 0], processScore: [1, 0] },
    { reward: [0], processScore: [0.5] },
  ];
  const { A, parts } = dual.run(sampleBatch(list), params);
  expect([...parts!['episode']!]).toEqual([0, 0, 0, 0]);
  [Math.sqrt(1.5) / 2, -Math.sqrt(1.5) / 2, 0, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('a score that is the same everywhere leaves GRPO; a score times a positive number changes nothing', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.integer({ min: 2, max: 32 }), (batch, c) => {
      const flat = { ...batch, processScore: batch.processScore!.map(() => 0.25) };
      expect(dual.run(flat, params).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
      const { A } = dual.run(batch, params);
      const scaled = dual.run({ ...batch, processScore: batch.processScore!.map((x) => c * x) }, params);
      scaled.A.forEach((a, k) => expect(Math.abs(a - A[k]!)).toBeLessThan(1e-3));
    }),
  );
});
