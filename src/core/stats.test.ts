import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iqm, isDegenerate, leaveOneOut, normalize, quantileSorted, std } from './stats.ts';

test('two winners and two losers normalize to ±0.866 by hand', () => {
  // mean 0.5, sample std sqrt(4·0.25/3) = 0.57735; 0.5/0.577351 = 0.866024
  const z = normalize([1, 0, 0, 1]);
  expect(z[0]).toBeCloseTo(0.866024, 5);
  expect(z[1]).toBeCloseTo(-0.866024, 5);
});

test('sets that are equal up to f32 noise give exactly 0', () => {
  expect([...normalize([0.1, Math.fround(0.1), 0.1 + 1e-9])]).toEqual([0, 0, 0]);
  expect([...leaveOneOut([5, 5])]).toEqual([0, 0]);
  expect([...normalize([3])]).toEqual([0]);
  expect(isDegenerate([1000, 1000.005])).toBe(true);
  expect(isDegenerate([1000, 1000.02])).toBe(false);
});

test('normalizing does not care about shift and scale', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 9 });
  fc.assert(
    fc.property(values, fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }), (x, shift, scale) => {
      const a = normalize(x);
      const b = normalize(x.map((value) => value * scale + shift));
      a.forEach((value, k) => expect(Math.abs(value - b[k]!)).toBeLessThan(1e-5));
    }),
  );
});

test('leave-one-out compares with the mean of the others', () => {
  expect([...leaveOneOut([1, 1, 0])]).toEqual([0.5, 0.5, -1]);
});

test('quantiles and the interquartile mean follow numpy and scipy', () => {
  expect(quantileSorted([1, 2, 3, 4], 0.25)).toBe(1.75);
  // scipy.stats.trim_mean([0…7], 0.25) = mean(2, 3, 4, 5)
  expect(iqm([7, 0, 3, 1, 6, 2, 5, 4])).toBe(3.5);
  expect(std([1, 2, 3, 4])).toBeCloseTo(1.2909944, 6);
});
