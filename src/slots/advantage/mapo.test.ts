import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { mapo } from './mapo.ts';
import { sampleBatch } from './sampleBatch.ts';
import { whiten } from './segments.ts';

const params = { ...defaultsOf(mapo.params), gamma: 1 };

test('steps of equal index are compared, a step that only one reached is not', () => {
  // t = 0: G = 1, 0 → ±0.5/std, std = √0.5. t = 1: one member → 0. Immediate r = 0, 1, 0: mean 1/3, std √(1/3).
  const { parts } = mapo.run(sampleBatch([{ reward: [0, 1] }, { reward: [0] }]), { ...params, alpha: 1, beta: 1 });
  [Math.SQRT1_2, 0, -Math.SQRT1_2, 0].forEach((a, k) => expect(parts!['turn']![k]).toBeCloseTo(a, 5));
  const s = Math.sqrt(1 / 3);
  [-1 / 3 / s, 2 / 3 / s, -1 / 3 / s, 0].forEach((a, k) => expect(parts!['immediate']![k]).toBeCloseTo(a, 5));
});

test('without the turn part and over the batch it whitens the rewards', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const { A } = mapo.run(batch, { ...params, alpha: 0, beta: 1, scope: 'batch' });
      expect(A).toEqual(whiten(batch, batch.reward));
    }),
  );
});

test.each(['mapoGroup', 'mapoBatch'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
