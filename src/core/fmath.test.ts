import { expect, test } from 'vitest';
import { exp, expOfEach, gaussian, log, logOfEach, tanh } from './fmath.ts';
import { randomPair, uniform } from './random.ts';

const relative = (got: number, want: number): number => Math.abs(got - want) / Math.max(Math.abs(want), 1e-300);

test('exp, log and tanh agree with the engine to 1e-13 over their range', () => {
  for (let i = -7000; i <= 7000; i += 7) {
    const x = i / 10;
    expect(relative(exp(x), Math.exp(x))).toBeLessThan(1e-13);
    expect(relative(tanh(x / 100), Math.tanh(x / 100))).toBeLessThan(1e-13);
  }
  for (let k = -300; k <= 300; k++) {
    const x = 1.37 * 10 ** k;
    expect(relative(log(x), Math.log(x))).toBeLessThan(1e-13);
  }
  expect(relative(log(1 + 1e-9), Math.log(1 + 1e-9))).toBeLessThan(1e-13);
});

test('log holds at the ends of the numbers that there are', () => {
  for (const x of [
    Number.MAX_VALUE,
    2 ** 1023,
    2 ** 1022,
    2 ** -1021,
    2 ** -1022,
    2 ** -1023,
    1e-310,
    Number.MIN_VALUE,
  ])
    expect(relative(log(x), Math.log(x)), String(x)).toBeLessThan(1e-13);
  // halves and doubles have the same mantissa, and so the same series
  for (let k = -1000; k <= 1000; k++) expect(Math.abs(log(1.3 * 2 ** k) - k * Math.LN2 - log(1.3))).toBeLessThan(2e-13);
});

test('of many at once each is as by itself, and what lies behind them stays', () => {
  const x = Float64Array.of(NaN, Infinity, -Infinity, -0, 0, 710, -709, 1.5, -2.25, 1e-320, 3);
  const each = (one: (x: number) => number): number[] => [...x.subarray(0, 10)].map(one);
  const [a, b] = [x.slice(), x.slice()];
  expOfEach(a, 10);
  logOfEach(b, 10);
  expect([...a]).toEqual([...each(exp), 3]);
  expect([...b]).toEqual([...each(log), 3]);
});

test('the ends of the range are what mathematics says', () => {
  expect([exp(0), exp(-1000), exp(1000), log(1), log(0), tanh(0), tanh(50), tanh(-50)]).toEqual([
    1,
    0,
    Infinity,
    0,
    -Infinity,
    0,
    1,
    -1,
  ]);
  expect([exp(NaN), log(-1), log(NaN)].every(Number.isNaN)).toBe(true);
  expect(relative(log(5e-324), -744.4400719213812)).toBeLessThan(1e-13);
});

test('the bits are pinned: a change of the formula changes digests everywhere', () => {
  const bits = (x: number): string => new BigUint64Array(new Float64Array([x]).buffer)[0]!.toString(16);
  expect([exp(1), exp(-0.3), log(3), tanh(0.7), tanh(0.01)].map(bits)).toMatchInlineSnapshot(`
    [
      "4005bf0a8b14576a",
      "3fe7b4c869c37c05",
      "3ff193ea7aad030b",
      "3fe356fb17af2e91",
      "3f847ab48ae4595e",
    ]
  `);
});

test('gaussian draws have mean 0, variance 1 and the right tails', () => {
  let m = 0;
  let s = 0;
  let tail = 0;
  const n = 20_000;
  for (let i = 0; i < n; i++) {
    const [a, b] = randomPair(3, 19, 0, 0, i);
    const x = gaussian(uniform(a), uniform(b));
    m += x / n;
    s += (x * x) / n;
    if (Math.abs(x) > 1.959964) tail++;
  }
  expect(Math.abs(m)).toBeLessThan(0.035); // 5 sd of the mean
  expect(Math.abs(s - 1)).toBeLessThan(0.05); // 5 sd of the variance
  expect(Math.abs(tail / n - 0.05)).toBeLessThan(0.0078); // 5 binomial sd
});
