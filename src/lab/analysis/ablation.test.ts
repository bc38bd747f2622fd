import { expect, test } from 'vitest';
import {
  areaUnderCurve,
  holm,
  labelPermutationP,
  performanceProfile,
  reached,
  signFlipP,
  stepsTo,
} from './ablation.ts';
import { bootstrapInterval, interval95, resampled } from '../../core/seeds.ts';

test('three of three seeds better: a quarter of the sign patterns is as extreme', () => {
  // +1 +2 +3 and −1 −2 −3 of eight patterns
  expect(signFlipP([[2, 4, 6]], [[1, 2, 3]])).toBe(0.25);
  expect(signFlipP([[1, 1, 1]], [[1, 1, 1]])).toBe(1);
});

test('two against two, clearly apart: two of six splits are as extreme', () => {
  expect(
    labelPermutationP(
      [
        [8, 9],
        [10, 9],
      ],
      [
        [1, 2],
        [1, 2],
      ],
    ),
  ).toBeCloseTo(2 / 6, 12);
});

test('seventeen pairs are sampled, close to all 2¹⁷ patterns', () => {
  const x = Array.from({ length: 17 }, (_, k) => 0.5 + 0.02 * k);
  const y = Array.from({ length: 17 }, (_, k) => 0.46 + 0.02 * ((k * 7) % 17));
  const d = x.map((v, k) => v - y[k]!);
  const observed = Math.abs(d.reduce((a, b) => a + b, 0));
  let extreme = 0;
  for (let r = 0; r < 2 ** 17; r++) {
    let sum = 0;
    for (let j = 0; j < 17; j++) sum += (r >>> j) & 1 ? -d[j]! : d[j]!;
    if (Math.abs(sum) >= observed - 1e-12) extreme++;
  }
  const exact = extreme / 2 ** 17;
  expect(exact).toBeGreaterThan(0.05);
  // four standard errors of 10,000 samples
  expect(Math.abs(signFlipP([x], [y]) - exact)).toBeLessThan(0.02);
  expect(signFlipP([x], [x.map((v) => v - 0.1)])).toBeLessThan(0.001);
});

test('twenty against twenty is sampled: a clear lead is never met by chance, none always', () => {
  const x = Array.from({ length: 20 }, (_, k) => 0.5 + 0.02 * k);
  expect(labelPermutationP([x], [x.map((v) => v - 1)])).toBeLessThan(0.001);
  expect(labelPermutationP([x], [x])).toBe(1);
});

test('Holm, by hand', () => {
  expect(holm([0.02, 0.01, 0.4])).toEqual([0.04, 0.03, 0.4]);
  expect(holm([0.5, 0.6])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test('area under a curve: constant before the first and behind the last point, cut at the limit', () => {
  expect(areaUnderCurve([10], [0.4], 50)).toBeCloseTo(0.4, 12);
  // 0 … 10 rises to 1, then 1
  expect(areaUnderCurve([0, 10], [0, 1], 20)).toBeCloseTo(0.75, 12);
  // cut in the middle of a rise
  expect(areaUnderCurve([0, 10], [0, 1], 5)).toBeCloseTo(0.25, 12);
});

test('a level is reached when two evaluations in a row stay there; runs that never do count as infinite', () => {
  expect(stepsTo([1, 2, 3, 4], [0.9, 0.1, 0.8, 0.9], 0.8)).toBe(3);
  expect(stepsTo([1, 2, 3], [0.1, 0.1, 0.9], 0.8)).toBe(Infinity);
  expect(reached([3, Infinity, 5])).toEqual({ median: 5, share: 2 / 3 });
  expect(reached([3, Infinity, Infinity]).median).toBe(Infinity);
});

test('a profile counts cells strictly above', () => {
  expect(performanceProfile([[0.2, 0.5], [0.8]], [0, 0.5, 0.8])).toEqual([1, 1 / 3, 0]);
});

test('resamples given from outside: the identity repeats the statistic', () => {
  const scores = [
    [1, 2, 3],
    [4, 5, 6],
  ];
  const identity = [0, 0, 1, 1, 2, 2];
  expect([...resampled(scores, [...identity, 0, 0, 0, 0, 0, 0], (all) => all.reduce((a, b) => a + b, 0))]).toEqual([
    21, 15,
  ]);
  const [low, high] = bootstrapInterval(scores)!;
  expect(low).toBeLessThan(high);
  expect(interval95([1, 2, 3])).toEqual([1.05, 2.95]);
});
