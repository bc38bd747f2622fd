import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryTrajectories } from './arbitraryBatch.ts';
import { empg } from './empg.ts';
import { grpo } from './grpo.ts';
import { sampleBatch } from './sampleBatch.ts';

const params = defaultsOf(empg.params);

test('a sure step gets more of the verdict, by hand', () => {
  // GRPO ±√½. H = 0, 1, 1, 0 → exp(−h) = 1, e, e, 1 with e = 1/e; mean (1 + e)/2. No bonus: A = ±√½·2·(1 or e)/(1 + e)
  const list = [
    { reward: [0, 1], entropy: [0, 1] },
    { reward: [0, 0], entropy: [1, 0] },
  ];
  const { A } = empg.run(sampleBatch(list), { ...params, zeta: 0 });
  const e = Math.exp(-1);
  const unit = (2 * Math.SQRT1_2) / (1 + e);
  [unit, unit * e, -unit * e, -unit].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 5));
});

test('the credit of the batch adds up to 0', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const total = empg.run(sampleBatch(list), params).A.reduce((a, b) => a + b, 0);
      expect(Math.abs(total)).toBeLessThan(1e-4);
    }),
  );
});

test('with equal entropies and no bonus it is centered GRPO', () => {
  fc.assert(
    fc.property(arbitraryTrajectories, (list) => {
      const batch = sampleBatch(list.map((x) => ({ ...x, entropy: x.reward.map(() => 0.7) })));
      const want = grpo.run(batch, defaultsOf(grpo.params)).A;
      const steps = batch.length.reduce((a, b) => a + b, 0);
      const mean = want.reduce((a, b) => a + b, 0) / steps;
      empg.run(batch, { ...params, zeta: 0 }).A.forEach((a, k) => {
        const isReal = k % batch.T < batch.length[Math.floor(k / batch.T)]!;
        expect(a).toBeCloseTo(isReal ? want[k]! - mean : 0, 5);
      });
    }),
  );
});

test('the last step never has the bonus, even where all groups agree', () => {
  // One trajectory, A = 0: bonus 0.1·f on the first step only, minus the mean
  const { A } = empg.run(sampleBatch([{ reward: [0, 0], entropy: [1, 1] }]), params);
  [0.05, -0.05].forEach((a, k) => expect(A[k]).toBeCloseTo(a, 6));
});

test.each(['empg'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
