import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { flowGrpo } from './flowGrpo.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

test('counted per turn the longer episode pulls the mean, by hand', () => {
  // R = 1 on one turn, 0 on three: mean 1/4, sample variance (0.75² + 3·0.25²)/3 = 1/4 → 0.75/0.5 and −0.25/0.5
  const { A } = flowGrpo.run(sampleBatch([{ reward: [1] }, { reward: [0, 0, 0] }]), { rows: 'steps' });
  [1.5, 0, 0, -0.5, -0.5, -0.5].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('counted per trajectory it is GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list);
      expect(flowGrpo.run(batch, { rows: 'trajectories' }).A).toEqual(grpo.run(batch, defaultsOf(grpo.params)).A);
    }),
  );
});

test.each(['flowGrpo', 'flowGrpoTurnRows'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
