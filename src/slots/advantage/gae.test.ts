import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenAdvantage } from '../../check/conformance/golden.ts';
import { returnsToGo } from '../../core/batch.ts';
import { arbitraryBatch } from './arbitraryBatch.ts';
import { gae } from './gae.ts';
import { generalizedAdvantage } from './generalizedAdvantage.ts';
import { sampleBatch } from './sampleBatch.ts';

test('two steps to the goal, by hand', () => {
  // γ = 0.5, λ = 0.5: δ = (0 + 0.5·0.4 − 0.2, 1 − 0.4) = (0, 0.6); adv = (0.25·0.6, 0.6); target = adv + V
  const batch = sampleBatch([{ reward: [0, 1], value: [0.2, 0.4] }]);
  const { adv, target } = generalizedAdvantage(batch, 0.5, 0.5, 'bootstrap');
  [0.15, 0.6].forEach((a, t) => expect(adv[t]).toBeCloseTo(a, 6));
  [0.35, 1].forEach((a, t) => expect(target[t]).toBeCloseTo(a, 6));
});

test('a cut episode is worth nothing, the last state, or the state before it', () => {
  const batch = sampleBatch([{ reward: [0], value: [0.4], valueFinal: 0.8, terminated: false }]);
  expect(generalizedAdvantage(batch, 1, 1, 'zero').adv[0]).toBeCloseTo(-0.4, 6);
  expect(generalizedAdvantage(batch, 1, 1, 'bootstrap').adv[0]).toBeCloseTo(0.4, 6);
  expect(generalizedAdvantage(batch, 1, 1, 'egae').adv[0]).toBe(0);
});

test('with λ = 1 and nothing after a cut the target is the return-to-go, whatever the critic says', () => {
  fc.assert(
    fc.property(arbitraryBatch, fc.constantFrom(0.5, 0.9, 1), (batch, gamma) => {
      const want = returnsToGo(batch, gamma);
      const { target } = generalizedAdvantage(batch, gamma, 1, 'zero');
      target.forEach((x, k) => expect(Math.abs(x - want[k]!)).toBeLessThan(1e-5));
    }),
  );
});

test('the target is taken before whitening', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const params = { gamma: 0.99, lambda: 0.95, cut: 'bootstrap' } as const;
      expect(gae.run(batch, params).target).toEqual(generalizedAdvantage(batch, 0.99, 0.95, 'bootstrap').target);
    }),
  );
});

test.each(['gaeZero', 'gaeBootstrap', 'egae'])('the golden values of %s hold in every case', (key) => {
  const entries = goldenAdvantage(key);
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
