import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { igpo, informationRewards } from './igpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const usual = defaultsOf(igpo.params);

test('two episodes by hand: the step that learns something is paid for it, whatever comes at the end', () => {
  const batch = sampleBatch([
    { reward: [0, 0, 1], answerProb: [0.25, 0.5, 1, 1] },
    { reward: [0, 0, 0], answerProb: [0.25, 0.5, 0.5, 0] },
  ]);
  const r = informationRewards(batch, batch.answerProb!, batch.success);
  expect([...r]).toEqual([0.25, 0.5, 1, 0.25, 0, 0]);
  const { A } = igpo.run(batch, { ...usual, credit: 'stepMean' });
  // to go: 1.75, 1.5, 1 and 0.25, 0, 0; half of the difference above and below the mean
  [0.75, 0.75, 0.5, -0.75, -0.75, -0.5].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 6));
  // joint: mean ⅓; the last step of the failure has −⅓ over the spread, its first one the sum of three such numbers
  const joint = igpo.run(batch, usual).A;
  const std = Math.sqrt([0.25, 0.5, 1, 0.25, 0, 0].reduce((s, x) => s + (x - 1 / 3) ** 2, 0) / 5) + 1e-6;
  expect(joint[5]).toBeCloseTo(-1 / 3 / std, 5);
  expect(joint[3]).toBeCloseTo((0.25 - 1) / std, 5);
});

test('law: gains telescope, so their sum is what the last step knew minus what the first one knew', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const p = batch.answerProb!;
      const r = informationRewards(batch, p, batch.success);
      for (let i = 0; i < batch.B; i++) {
        const last = batch.length[i]! - 1;
        const gains = r.subarray(i * batch.T, i * batch.T + last).reduce((sum, x) => sum + x, 0);
        expect(gains).toBeCloseTo(p[i * (batch.T + 1) + last]! - p[i * (batch.T + 1)]!, 6);
      }
    }),
  );
});
