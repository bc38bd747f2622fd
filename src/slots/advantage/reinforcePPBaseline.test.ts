import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { reinforcePPBaseline } from './reinforcePPBaseline.ts';
import { sampleBatch } from './sampleBatch.ts';

test('a group that disagrees beside one that agrees, by hand', () => {
  // c = 0.5, −0.5, 0, 0: mean 0, sample std sqrt(0.5/3) = 0.408248 → ±1.224742, 0, 0
  const list = [{ reward: [1] }, { reward: [0] }, { task: 1, reward: [1] }, { task: 1, reward: [1] }];
  const { A } = reinforcePPBaseline.run(sampleBatch(list), defaultsOf(reinforcePPBaseline.params));
  [1.224742, -1.224742, 0, 0].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 4));
});

test('adding a constant to the rewards of one task changes nothing', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, fc.integer({ min: -3, max: 3 }), (list, c) => {
      const shifted = list.map((x) =>
        x.task === 0 ? { ...x, reward: x.reward.map((r, t) => (t === 0 ? r + c : r)) } : x,
      );
      const A = reinforcePPBaseline.run(sampleBatch(list), defaultsOf(reinforcePPBaseline.params)).A;
      const B = reinforcePPBaseline.run(sampleBatch(shifted), defaultsOf(reinforcePPBaseline.params)).A;
      B.forEach((b, k) => expect(Math.abs(b - A[k]!)).toBeLessThan(2e-5));
    }),
  );
});

test.each(['reinforcePPBaseline'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
