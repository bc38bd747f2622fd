import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../../check/conformance/golden.ts';
import { arbitraryBatch } from '../arbitraryBatch.ts';
import { sampleBatch } from '../sampleBatch.ts';
import { preferenceLoss, trajectoryScores } from './preference.ts';
import { type ScoreForm } from '../types.ts';

const forms = fc.constantFrom<ScoreForm>('sum', 'mean');

test('one pair, by hand', () => {
  // β = 1: q⁺ = (−1 + 2) + (−1 + 1) = 1, q⁻ = −1. Loss ln(1 + e⁻²), gradient ∓σ(−2) per step of the sum.
  const list = [
    { success: true, reward: [0, 1], logp: [-2, -1], logpPhi: [-1, -1] },
    { success: false, reward: [0], logp: [-1], logpPhi: [-2] },
  ];
  const { pairs, loss, accuracy, gradPerStep } = preferenceLoss(sampleBatch(list), 1, 'sum');
  const doubt = 1 / (1 + Math.exp(2));
  expect([pairs, accuracy]).toEqual([1, 1]);
  expect(loss).toBeCloseTo(Math.log(1 + Math.exp(-2)), 12);
  expect([...gradPerStep]).toEqual([expect.closeTo(-doubt, 12), expect.closeTo(doubt, 12)]);
  expect(trajectoryScores(sampleBatch(list), 1, 'mean')[0]).toBeCloseTo(0.5, 12);
});

test('the gradient is the slope of the loss', () => {
  fc.assert(
    fc.property(arbitraryBatch, forms, fc.nat(8), (batch, form, at) => {
      const i = at % batch.B;
      const { gradPerStep } = preferenceLoss(batch, 0.5, form);
      const h = 2 ** -7; // exact in f32 beside quarters
      const lossAt = (dx: number): number => {
        const logpPhi = batch.logpPhi!.slice();
        logpPhi[i * batch.T]! += dx;
        return preferenceLoss({ ...batch, logpPhi }, 0.5, form).loss;
      };
      const slope = (lossAt(h) - lossAt(-h)) / (2 * h);
      expect(Math.abs(slope - gradPerStep[i]!)).toBeLessThan(1e-5);
    }),
  );
});

test('pairs are formed inside tasks only; without one there is no loss and no gradient', () => {
  const list = [
    { task: 0, success: true, reward: [1], logpPhi: [-1] },
    { task: 1, success: false, reward: [0], logpPhi: [-2] },
  ];
  const none = preferenceLoss(sampleBatch(list), 1, 'sum');
  expect(none).toEqual({ pairs: 0, loss: 0, accuracy: 0, gradPerStep: new Float64Array(2) });
});

test('very sure models stay finite', () => {
  const list = [
    { success: true, reward: [1], logpPhi: [-30000] },
    { success: false, reward: [0], logpPhi: [0] },
  ];
  const { loss, gradPerStep } = preferenceLoss(sampleBatch(list), 1, 'sum');
  expect(loss).toBe(30000);
  expect([...gradPerStep]).toEqual([-1, 1]);
});

test.each(['oprlDpoSum', 'oprlDpoMean'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
