import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { remax } from './remax.ts';
import { sampleBatch } from './sampleBatch.ts';

test('both forms on one trajectory, by hand', () => {
  // R = 0.5 + 1 = 1.5, the greedy episode got 1: 0.5 everywhere. From step 0: 1.5 − 1, from step 1: 1 − 1.
  const batch = sampleBatch([{ reward: [0.5, 1], greedy: 1 }], 3);
  expect([...remax.run(batch, { form: 'outcome' }).A]).toEqual([0.5, 0.5, 0]);
  expect([...remax.run(batch, { form: 'toGo' }).A]).toEqual([0.5, 0, 0]);
});

test('the two forms agree when only the last step pays', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(
        list.map((x) => ({ ...x, reward: x.reward.map((r, t) => (t + 1 < x.reward.length ? 0 : r)) })),
      );
      expect(remax.run(batch, { form: 'toGo' }).A).toEqual(remax.run(batch, { form: 'outcome' }).A);
    }),
  );
});

test.each(['remax', 'remaxToGo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
