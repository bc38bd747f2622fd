import { expect, test } from 'vitest';
import { CURVES, metricIndex } from '../../slots/metrics/metrics.ts';
import { differencesOf, type Curves } from './lines.ts';

const SUCCESS = metricIndex.success;

/** A run of one seed: environment steps until each update, and success in it; NaN where it was not measured. */
function run(steps: readonly number[], success: readonly number[]): Curves {
  const values = new Float32Array(steps.length * CURVES).fill(NaN);
  success.forEach((value, u) => (values[u * CURVES + SUCCESS] = value));
  return { S: 1, firstSeed: 1, curves: { from: 0, values, steps: Float64Array.from(steps) } };
}

const told = (first: Curves, second: Curves, by: 'update' | 'envSteps') =>
  differencesOf(first, second, SUCCESS, by).map(({ place, mean }) => [place, Number(mean.toFixed(6))]);

test('at the same updates: those that both have measured', () => {
  const [a, b] = [run([10, 20, 30], [0.5, NaN, 0.75]), run([100, 200, 300], [0.25, 0.5, 0.5])];
  expect(told(a, b, 'update')).toEqual([
    [1, 0.25],
    [3, 0.25],
  ]);
});

test('after as many steps: what the other had measured last, up to its end', () => {
  // in one update, the first run takes a tenth of the steps of the second
  const [cheap, dear] = [
    run([10, 20, 100, 150, 900], [0.125, 0.25, 0.5, 0.75, 1]),
    run([100, 200, 300], [0.25, 0.5, 0.5]),
  ];
  expect(told(cheap, dear, 'envSteps')).toEqual([
    [100, 0.25],
    [150, 0.5],
  ]);
  expect(told(dear, cheap, 'envSteps')).toEqual([
    [100, -0.25],
    [200, -0.25],
    [300, -0.25],
  ]);
  expect(told(cheap, run([], []), 'envSteps')).toEqual([]);
});

test('at most so many places, and the newest is one of them', () => {
  const long = run(
    Array.from({ length: 1000 }, (_, u) => u + 1),
    Array.from({ length: 1000 }, () => 0.5),
  );
  const places = told(long, long, 'envSteps').map(([place]) => place);
  expect(places).toHaveLength(100);
  expect(places.at(-1)).toBe(1000);
});
