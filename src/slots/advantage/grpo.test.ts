import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { drGrpo } from './drGrpo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('two winners and two losers, by hand', () => {
  // mean 0.5, sample std sqrt(4·0.25/3) = 0.57735 → ±0.5/0.577351 = ±0.866024; the second step of each loser is real
  const { A } = grpo.run(
    sampleBatch([{ reward: [1] }, { reward: [1] }, { reward: [0, 0] }, { reward: [0, 0] }]),
    defaultsOf(grpo.params),
  );
  [0.866024, 0, 0.866024, 0, -0.866024, -0.866024, -0.866024, -0.866024].forEach((a, k) =>
    expect(A[k]).toBeCloseTo(a, 5),
  );
});

test('a group of one and a group that agrees get exactly 0', () => {
  const { A } = grpo.run(
    sampleBatch([{ reward: [3] }, { task: 1, reward: [1] }, { task: 1, reward: [1] }]),
    defaultsOf(grpo.params),
  );
  expect([...A]).toEqual([0, 0, 0]);
});

test('multiplying every reward by a positive number changes nothing', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.constantFrom(0.5, 2, 8), (list, c) => {
      const scaled = list.map((x) => ({ ...x, reward: x.reward.map((r) => r * c) }));
      const A = grpo.run(sampleBatch(list), defaultsOf(grpo.params)).A;
      grpo
        .run(sampleBatch(scaled), defaultsOf(grpo.params))
        .A.forEach((a, k) => expect(Math.abs(a - A[k]!)).toBeLessThan(2e-5));
    }),
  );
});

test('the sign is that of Dr. GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const other = drGrpo.run(batch, defaultsOf(drGrpo.params)).A;
      grpo.run(batch, defaultsOf(grpo.params)).A.forEach((a, k) => expect(Math.sign(a)).toBe(Math.sign(other[k]!)));
    }),
  );
});

test.each(['grpo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
