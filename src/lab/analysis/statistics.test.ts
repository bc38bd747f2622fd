import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { arbitraryBatch } from '../../slots/advantage/arbitraryBatch.ts';
import { grpo } from '../../slots/advantage/grpo.ts';
import { goldenObjective } from '../../check/conformance/golden.ts';
import { creditRms, creditStats, degenerate, groupShares } from '../../core/math/creditStats.ts';
import { entropyPerPosition, entropyStats, plainEntropy } from '../../core/math/entropy.ts';
import { effectiveSampleSize, essFromLogWeights, largestShare } from '../../core/math/ess.ts';
import { approxKl, clipFractions, deltaQuantiles, ratioStats } from '../../slots/metrics/ratio.ts';
import { explainedVariance, lineFit, passAtK, successByPathLength } from '../../slots/metrics/success.ts';
import { wilsonInterval } from '../../core/math/wilson.ts';

const logWeights = fc.array(fc.double({ min: -30, max: 30, noNaN: true }), { minLength: 1, maxLength: 20 });

test('equal weights count in full, one dominating weight counts as one', () => {
  expect(effectiveSampleSize([5, 5, 5, 5])).toBe(4);
  expect(effectiveSampleSize([700, 0, 0, 0])).toBeCloseTo(1, 12);
  // weights 3, 1: (3 + 1)² / (9 + 1) = 1.6
  expect(effectiveSampleSize([Math.LN2 + 0.4054651081, 0])).toBeCloseTo(1.6, 8);
});

test('ESS does not see a common factor and lies between 1/n and 1', () => {
  fc.assert(
    fc.property(logWeights, fc.double({ min: -500, max: 500, noNaN: true }), (x, shift) => {
      const share = essFromLogWeights(x);
      expect(share).toBeGreaterThan(1 / x.length - 1e-9);
      expect(share).toBeLessThan(1 + 1e-9);
      expect(Math.abs(essFromLogWeights(x.map((v) => v + shift)) - share)).toBeLessThan(1e-9);
      expect(largestShare(x)).toBeGreaterThanOrEqual(1 / x.length - 1e-9);
    }),
  );
});

test('four units, one held above and one below, by hand', () => {
  // ρ = 2, 2, 0.5, 1 with A = 1, −1, −1, 1: the second is outside but not held
  const delta = [Math.LN2, Math.LN2, -Math.LN2, 0];
  expect(clipFractions(delta, [1, -1, -1, 1], 0.8, 1.2, 3)).toEqual({
    clipHigh: 0.25,
    clipLow: 0.25,
    clipDual: 0,
    outside: 0.75,
  });
  expect(ratioStats(delta).max).toBeCloseTo(2, 12);
  expect(ratioStats(delta).mean).toBeCloseTo(5.5 / 4, 12);
  expect(deltaQuantiles([3, 1, 2], [0, 0.25, 0.5, 1])).toEqual([1, 1.5, 2, 3]);
});

test('k3 is never negative and k1 is minus the mean', () => {
  fc.assert(
    fc.property(logWeights, (delta) => {
      const { k1, k2, k3 } = approxKl(delta);
      expect(k3).toBeGreaterThanOrEqual(-1e-12);
      expect(k2).toBeGreaterThanOrEqual(0);
      expect(k1).toBeCloseTo(-delta.reduce((a, b) => a + b, 0) / delta.length, 9);
    }),
  );
});

test('entropy without temperature is that of the logits themselves, also where an action is impossible', () => {
  const softmax = (z: readonly number[]): number[] => {
    const e = z.map(Math.exp);
    return e.map((x) => x / e.reduce((a, b) => a + b));
  };
  const H = (p: readonly number[]): number => -p.reduce((sum, x) => sum + (x > 0 ? x * Math.log(x) : 0), 0);
  const z = [1, -2, 0.5, -Infinity];
  for (const temperature of [0.5, 1, 2.5]) {
    const tempered = softmax(z.map((x) => x / temperature));
    expect(plainEntropy([9, 9, 9, 9, ...tempered], 4, 1, temperature)).toBeCloseTo(H(softmax(z)), 12);
  }
});

test('entropy of a two-token action is the sum of its tokens', () => {
  const stats = entropyStats([0.5, 0.25, 0.3, 9], [4, 1, 2, 2], { tokens: 2, tokenCount: [2, 1] });
  expect([...stats.perAction]).toEqual([0.75, 0.3]);
  expect(stats.meanPerAction).toBeCloseTo(0.525, 12);
  expect(stats.meanPerToken).toBeCloseTo(0.35, 12);
  expect([...entropyPerPosition([1, 3, 5], [0, 0, 2], 3)]).toEqual([2, 0, 5]);
});

test('a group is useful exactly when its outcomes differ, for outcome credit', () => {
  fc.assert(
    fc.property(arbitraryBatch, (batch) => {
      const shares = groupShares(batch, grpo.run(batch, defaultsOf(grpo.params)).A);
      expect(shares.effectiveGroups).toBeCloseTo(1 - degenerate(batch), 12);
      expect(shares.mixedOutcomeGroups + shares.allFail + shares.allSolved).toBeCloseTo(1, 12);
    }),
  );
});

test('credit 3, −4, 0, by hand', () => {
  // mean −1/3; RMS sqrt(25/3)
  const stats = creditStats([3, -4, 0]);
  expect(stats).toMatchObject({ min: -4, max: 3, positive: 1 / 3 });
  expect(stats.mean).toBeCloseTo(-1 / 3, 12);
  expect(creditRms([3, -4, 0])).toBeCloseTo(Math.sqrt(25 / 3), 12);
  // sample std: squares 100/9, 121/9, 1/9 over 2; a single step has none
  expect(stats.std).toBeCloseTo(Math.sqrt(222 / 18), 12);
  expect(creditStats([3]).std).toBeNull();
});

test('the Wilson interval contains the share and stays in [0, 1]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (n, k) => {
      const successes = Math.min(n, k);
      const [low, high] = wilsonInterval(successes, n);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low - 1e-12 <= successes / n && successes / n <= high + 1e-12).toBe(true);
    }),
  );
});

test('a perfect critic explains everything, the mean nothing, and a constant target is undefined', () => {
  expect(explainedVariance([1, 2, 4], [1, 2, 4])).toBe(1);
  expect(explainedVariance([1, 2, 3], [2, 2, 2])).toBeCloseTo(0, 12);
  expect(explainedVariance([2, 2], [1, 3])).toBeNull();
});

test('small combinatorics by hand', () => {
  // pass@2 with 1 success in 4: 1 − C(3,2)/C(4,2) = 1 − 3/6
  expect(passAtK(4, 1, 2)).toBeCloseTo(0.5, 12);
  expect(passAtK(3, 3, 1)).toBe(1);
  expect(successByPathLength([1, 1, 0], [4, 5, 6], [8, 5, 6])).toBe(0.5);
  expect(lineFit([0, 1, 2], [1, 3, 5])).toEqual({ slope: 2, intercept: 1, r2: 1 });
});

test.each(['entropy', 'ess', 'ratio', 'advantage', 'explained', 'passk', 'wilson', 'spl', 'cov', 'law'])(
  'the golden values of %s hold',
  (key) => {
    const entries = goldenObjective(key);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
  },
);

test('a target that is constant up to rounding has no explained variance', () => {
  expect(explainedVariance([0.1, 0.1, 0.1], [0, 1, 2])).toBeNull();
  expect(explainedVariance([0, 0], [0, 1])).toBeNull();
});
