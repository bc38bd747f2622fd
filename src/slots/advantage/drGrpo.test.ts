import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { drGrpo } from './drGrpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('one winner of four, by hand', () => {
  // mean 0.25 → 0.75 and −0.25
  const { A } = drGrpo.run(
    sampleBatch([{ reward: [1] }, { reward: [0] }, { reward: [0] }, { reward: [0] }]),
    defaultsOf(drGrpo.params),
  );
  expect([...A]).toEqual([0.75, -0.25, -0.25, -0.25]);
});

test('the credit of the trajectories of a group adds up to 0', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const { A } = drGrpo.run(batch, defaultsOf(drGrpo.params));
      for (let g = 0; g < 3; g++) {
        let total = 0;
        list.forEach((x, i) => (total += x.task === g ? A[i * batch.T]! : 0));
        expect(Math.abs(total)).toBeLessThan(1e-5);
      }
    }),
  );
});

test.each(['drGrpo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
