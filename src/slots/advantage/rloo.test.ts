import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { drGrpo } from './drGrpo.ts';
import { rloo } from './rloo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('two winners and one loser, by hand', () => {
  // others' means: 0.5, 0.5, 1 → advantages 0.5, 0.5, −1; the third column is padding
  const list = [{ reward: [0, 1] }, { reward: [0, 1] }, { reward: [0, 0] }];
  expect([...rloo.run(sampleBatch(list, 3), defaultsOf(rloo.params)).A]).toEqual([0.5, 0.5, 0, 0.5, 0.5, 0, -1, -1, 0]);
});

test('it is Dr. GRPO times n/(n − 1)', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      const other = drGrpo.run(batch, defaultsOf(drGrpo.params)).A;
      rloo.run(batch, defaultsOf(rloo.params)).A.forEach((a, k) => {
        const n = list.filter((x) => x.task === list[Math.floor(k / batch.T)]!.task).length;
        expect(Math.abs(a - (n > 1 ? (other[k]! * n) / (n - 1) : 0))).toBeLessThan(1e-5);
      });
    }),
  );
});

test.each(['rloo'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
