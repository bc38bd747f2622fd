import { expect, test } from 'vitest';
import { mean } from './stats.ts';
import { differenceOf } from './difference.ts';
import { bootstrapInterval } from './seeds.ts';

const by = (from: number, ...values: number[]): Map<number, number> =>
  new Map(values.map((value, k) => [from + k, value]));

test('shared seeds are compared with each other, with the interval of their differences', () => {
  // 0.5 − 0.25, 0.75 − 0.25, 1 − 0.75
  const found = differenceOf(by(1, 0.5, 0.75, 1), by(1, 0.25, 0.25, 0.75))!;
  expect(found).toMatchObject({ isPaired: true, n: [3, 3] });
  expect(found.mean).toBeCloseTo(1 / 3, 12);
  expect(found.interval).toEqual(bootstrapInterval([[0.25, 0.5, 0.25]], mean));
});

test('only the seeds that both have count where three are shared', () => {
  const found = differenceOf(by(1, 9, 0.5, 0.5, 0.5), by(2, 0.25, 0.25, 0.25, -9))!;
  expect(found).toEqual({ mean: 0.25, interval: [0.25, 0.25], isPaired: true, n: [3, 3] });
});

test('what all seeds have in common cancels only where seeds are shared', () => {
  const levels = [0, 0.4, 0.8, 0.2];
  const better = levels.map((x) => x + 0.1);
  const [low, high] = differenceOf(by(1, ...better), by(1, ...levels))!.interval!;
  expect([low, high].map((x) => x.toFixed(9))).toEqual(['0.100000000', '0.100000000']);
  const apart = differenceOf(by(1, ...better), by(5, ...levels))!;
  expect(apart).toMatchObject({ isPaired: false, n: [4, 4] });
  expect(apart.mean).toBeCloseTo(0.1, 12);
  expect(apart.interval![0]).toBeLessThan(0);
  expect(apart.interval![1]).toBeGreaterThan(0.2);
});

test('too few seeds give a difference without an interval, and none at all give nothing', () => {
  expect(differenceOf(by(1, 1, 0.5), by(1, 0.5, 0.5))).toEqual({
    mean: 0.25,
    interval: null,
    isPaired: true,
    n: [2, 2],
  });
  expect(differenceOf(by(1, 1, 0.5), by(7, 0.5))).toEqual({ mean: 0.25, interval: null, isPaired: false, n: [2, 1] });
  expect(differenceOf(by(1), by(1, 0.5))).toBeNull();
});

test('two runs exchanged exchange the signs of a paired difference and its interval', () => {
  const [x, y] = [by(1, 0.3, 0.9, 0.4), by(1, 0.1, 0.2, 0.5)];
  const [one, other] = [differenceOf(x, y)!, differenceOf(y, x)!];
  expect(other.mean).toBeCloseTo(-one.mean, 12);
  expect(other.interval![0]).toBeCloseTo(-one.interval![1], 12);
});
