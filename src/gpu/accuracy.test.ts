import { expect, test } from 'vitest';
import { DIVISION, expShare, logError, near, SQRT, TANH, UNIT, units, within } from './accuracy.ts';

const { given, sum, product, dot, sigmoid, tanh } = near;

test('the bounds are those of WGSL, in units of 2⁻²³', () => {
  expect([DIVISION, SQRT, expShare(0), expShare(5)].map((x) => x / UNIT)).toEqual([2.5, 4.5, 3, 13]);
  // near 1 the error is absolute: log 1 need not be 0
  expect(logError(0.1)).toBe(2 ** -21);
  expect(logError(10)).toBe(30 * UNIT);
  expect(units(1)).toEqual({ abs: 0, rel: 2 * UNIT });
});

test('errors add up as by hand', () => {
  // 2 + 3, then + 1
  expect(sum(given(2), given(3), given(1))).toEqual({ most: 6, error: UNIT * 5 + UNIT * 6 });
  const x = { most: 2, error: 0.5 };
  expect(product(x, given(3))).toEqual({ most: 6, error: 1.5 + UNIT * 6 });
  expect(dot(4, 1, 2).error).toBe(12 * UNIT);
  expect(sigmoid(given(5)).error).toBe((13 + 1 + 2.5) * UNIT);
  expect(tanh(x)).toEqual({ most: 1, error: TANH + 0.5 });
  expect(within(given(1), x)).toEqual({ abs: 0.5, rel: UNIT });
});

test('a bound holds for every choice of rounding: ten thousand sums rounded either way stay inside', () => {
  const { error } = sum(given(1), given(1), given(1));
  let seed = 1;
  const next = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const either = (x: number): number => {
    const y = Math.fround(x);
    return next() < 0.5 ? y : y + (x > y ? 1 : -1) * UNIT * 2 ** Math.floor(Math.log2(Math.abs(y) || 1));
  };
  let worst = 0;
  for (let k = 0; k < 10_000; k++) {
    const [a, b, c] = [Math.fround(next()), Math.fround(next()), Math.fround(next())] as const;
    worst = Math.max(worst, Math.abs(either(either(a + b) + c) - (a + b + c)));
  }
  expect(worst).toBeLessThanOrEqual(error);
  expect(worst).toBeGreaterThan(error / 4);
});
