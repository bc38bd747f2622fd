import { expect, test } from 'vitest';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { differencesOf, ghostLine, type Measured } from './lines.ts';

const SUCCESS = metricIndex.success;

/** Success of a run of one seed: environment steps until each update, and success in it; NaN where it was not measured. */
const run = (steps: readonly number[], success: readonly number[]): Measured => ({
  ...{ S: 1, firstSeed: 1, metric: SUCCESS },
  ...{ steps: Float64Array.from(steps), values: Float32Array.from(success) },
});

const told = (first: Measured, second: Measured, by: 'update' | 'envSteps') =>
  differencesOf(first, second, by).map(({ place, mean }) => [place, Number(mean.toFixed(6))]);

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

test('the gray line of 20,000 updates has few points, and the lowest and the highest of all', () => {
  const [S, n] = [3, 20_000];
  const values = Float32Array.from({ length: n * S }, (_, k) => {
    const u = Math.floor(k / S);
    return u === 9001 ? 5 : u === 17_002 ? -5 : u % 2;
  });
  const steps = Float64Array.from({ length: n }, (_, u) => 512 * (u + 1));
  const points = ghostLine({ ...run([], []), S, steps, values }, null, 'envSteps');
  expect(points).toHaveLength(200);
  const ys = points.map(([, y]) => y);
  expect([points[ys.indexOf(5)]![0], points[ys.indexOf(-5)]![0]]).toEqual([512 * 9002, 512 * 17_003]);
  expect([Math.max(...ys), Math.min(...ys)]).toEqual([5, -5]);
});
