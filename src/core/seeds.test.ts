import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iqm } from './stats.ts';
import { bootstrapInterval, probabilityOfImprovement } from './seeds.ts';

const scores = fc.array(
  fc.integer({ min: 0, max: 20 }).map((x) => x / 20),
  { minLength: 3, maxLength: 12 },
);

test('three of four pairs won and one tied, by hand', () => {
  // pairs (2,1) (2,2) (3,1) (3,2): 1 + ½ + 1 + 1 of 4
  expect(probabilityOfImprovement([[2, 3]], [[1, 2]])).toBe(0.875);
});

test('the probabilities of both directions add up to 1', () => {
  fc.assert(
    fc.property(scores, scores, (x, y) => {
      expect(probabilityOfImprovement([x], [y]) + probabilityOfImprovement([y], [x])).toBeCloseTo(1, 12);
      expect(probabilityOfImprovement([x], [x])).toBeCloseTo(0.5, 12);
    }),
  );
});

test('the interval repeats itself, contains the statistic of clear data and stays inside the scores', () => {
  fc.assert(
    fc.property(scores, (x) => {
      const [low, high] = bootstrapInterval([x], iqm, 200)!;
      expect(bootstrapInterval([x], iqm, 200)).toEqual([low, high]);
      expect(low).toBeGreaterThanOrEqual(Math.min(...x) - 1e-12);
      expect(high).toBeLessThanOrEqual(Math.max(...x) + 1e-12);
      expect(low).toBeLessThanOrEqual(high);
    }),
    { numRuns: 20 },
  );
});

test('the interval of a mean is about ±1.96 standard errors', () => {
  const x = Array.from({ length: 40 }, (_, k) => k / 39);
  const mean = (all: Float64Array): number => all.reduce((a, b) => a + b, 0) / all.length;
  const [low, high] = bootstrapInterval([x], mean)!;
  // population sd of 0, 1/39 … 1 is sqrt((40² − 1)/12)/39 = 0.29604; /sqrt(40) = 0.046808
  expect(Math.abs(low - (0.5 - 1.96 * 0.046808))).toBeLessThan(0.008);
  expect(Math.abs(high - (0.5 + 1.96 * 0.046808))).toBeLessThan(0.008);
});

test('fewer than three seeds have no interval', () => {
  expect(bootstrapInterval([[0.1, 0.9]])).toBeNull();
  expect(bootstrapInterval([])).toBeNull();
});

test('equal scores have an interval without width', () => {
  expect(bootstrapInterval([[0.5, 0.5, 0.5]])).toEqual([0.5, 0.5]);
});
