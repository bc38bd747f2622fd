import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { aepo } from './aepo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('unsure steps get more, by hand', () => {
  // GRPO ±√½. H = 0, 1: z = ∓√½. Factor 1 ∓ 0.2·√½.
  const list = [
    { reward: [1], entropy: [0] },
    { reward: [0], entropy: [1] },
  ];
  const { A } = aepo.run(sampleBatch(list), { ...defaultsOf(aepo.params), a: 0.2 });
  expect(A[0]).toBeCloseTo(Math.SQRT1_2 * (1 - 0.2 * Math.SQRT1_2), 5);
  expect(A[1]).toBeCloseTo(-Math.SQRT1_2 * (1 + 0.2 * Math.SQRT1_2), 5);
});

test('over the batch the factors average 1', () => {
  const even = arbitraryTrajectories.filter((list) => list.length % 2 === 0);
  fc.assert(
    fc.property(even, fc.constantFrom(0.1, 0.3), (list, a) => {
      // R = 0, 1, 2 … in one group of even size: nobody sits on the mean, so every step has a factor
      const ranked = list.map((x, i) => ({ ...x, task: 0, reward: x.reward.map((_, t) => (t === 0 ? i : 0)) }));
      const batch = sampleBatch(ranked);
      const base = grpo.run(batch, defaultsOf(grpo.params)).A;
      let excess = 0;
      aepo
        .run(batch, { ...defaultsOf(aepo.params), a })
        .A.forEach((x, k) => (excess += base[k] === 0 ? 0 : x / base[k]! - 1));
      expect(Math.abs(excess)).toBeLessThan(1e-4);
    }),
  );
});

test('with equal entropies or no weight it is GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const same = { ...batch, entropy: batch.entropy.map(() => 0.5) };
      expect(aepo.run(batch, { ...defaultsOf(aepo.params), a: 0 }).A).toEqual(
        grpo.run(batch, defaultsOf(grpo.params)).A,
      );
      expect(aepo.run(same, { ...defaultsOf(aepo.params), a: 0.2 }).A).toEqual(
        grpo.run(batch, defaultsOf(grpo.params)).A,
      );
    }),
  );
});

test.each(['aepo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
