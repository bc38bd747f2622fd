import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goldenObjective } from '../check/conformance/golden.ts';
import { agreement, averageRanks, correlation, cosine, creditCorr, creditSign } from './fidelity.ts';

const numbers = fc.array(
  fc.integer({ min: -20, max: 20 }).map((x) => x / 10),
  { minLength: 2, maxLength: 12 },
);

test('signs on the steps that matter, by hand', () => {
  // |y| > 0.02 for three steps; right, wrong, and 0 counts as wrong
  const x = [1, 1, 0, -5];
  const y = [0.5, -0.1, 0.3, 0.01];
  expect(creditSign(x, y)).toBeCloseTo(1 / 3, 12);
  expect(agreement(x, y)).toMatchObject({ signShare: 0.75 });
  expect(agreement(x, y).signWeighted).toBeCloseTo(0.5 / 0.91, 12);
});

test('the truth agrees with itself, its negative disagrees, and a constant is undefined', () => {
  const y = [0.4, -0.3, 0.1];
  expect(creditCorr(y, y)).toBeCloseTo(1, 12);
  expect(agreement(y, y)).toMatchObject({ sign: 1, signWeighted: 1, scale: 1, nmse: 0 });
  expect(creditCorr([-0.4, 0.3, -0.1], y)).toBeCloseTo(-1, 12);
  expect(creditCorr([1, 1, 1], y)).toBeNull();
  expect(creditSign([1], [0])).toBeNull();
});

test('ties get the mean of their ranks', () => {
  expect([...averageRanks([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]);
});

test('correlation does not see shift and positive scale, and lies between −1 and 1', () => {
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: 1, max: 9 }), (a, b, c) => {
      const n = Math.min(a.length, b.length);
      const [x, y] = [a.slice(0, n), b.slice(0, n)];
      const r = correlation(x, y);
      fc.pre(r !== null);
      expect(Math.abs(r!)).toBeLessThanOrEqual(1 + 1e-12);
      expect(
        Math.abs(
          correlation(
            x.map((v) => c * v + 1),
            y,
          )! - r!,
        ),
      ).toBeLessThan(1e-9);
    }),
  );
});

test('the unexplained part is 1 − cos²', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const n = Math.min(a.length, b.length);
      const [x, y] = [a.slice(0, n), b.slice(0, n)];
      const c = cosine(x, y);
      fc.pre(c !== null);
      const { scale } = agreement(x, y);
      const rest = x.reduce((total, v, k) => total + (scale! * v - y[k]!) ** 2, 0) / y.reduce((t, v) => t + v * v, 0);
      expect(Math.abs(agreement(x, y).nmse! - rest)).toBeLessThan(1e-9);
      expect(Math.abs(rest - (1 - c! * c!))).toBeLessThan(1e-9);
    }),
  );
});

test('the two headline numbers are those of the whole table', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const n = Math.min(a.length, b.length);
      const [x, y] = [a.slice(0, n), b.slice(0, n)];
      const { pearson, sign } = agreement(x, y);
      expect(creditCorr(x, y)).toBe(pearson);
      expect(creditSign(x, y)).toBe(sign);
    }),
  );
});

test('the golden model holds: exact values, visitation, gradient and agreement', () => {
  const entries = goldenObjective('fidelity');
  expect(entries.length).toBe(1);
  for (const entry of entries) expect(entry).toMatchObject({ built: true, passed: true });
});
