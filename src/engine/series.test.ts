import { expect, test } from 'vitest';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import { Series } from './series.ts';

const record = (update: number, value: number) => ({
  update,
  metrics: new Float64Array(2 * METRICS).fill(NaN).fill(value, 0, 1),
  hash: new Uint32Array(4),
  bad: new Uint32Array(2),
  envSteps: 20,
  stepsOf: Float64Array.of(10, 10),
});

test('a spike of one update survives thinning from 1,000 to 100 points', () => {
  const series = new Series(2);
  for (let u = 0; u < 1000; u++) series.put(record(u, u === 777 ? 9 : 1));
  const thin = series.thin(100);
  expect(thin.points).toBe(100);
  expect(Math.max(...thin.values.subarray(0, 100))).toBe(9);
  expect(thin.update[0]).toBe(1);
  expect(thin.update[99]).toBe(1000);
  expect([thin.stepsBefore[99], thin.envSteps[99]]).toEqual([9_990, 10_000]);
});

test('short series are not thinned, gaps stay gaps, and going back forgets what came later', () => {
  const series = new Series(2);
  for (let u = 0; u < 5; u++) series.put(record(u, u));
  expect([...series.thin(100).values.subarray(0, 5)]).toEqual([0, 1, 2, 3, 4]);
  expect(series.thin(100).values.subarray(5, 10).every(Number.isNaN)).toBe(true);
  series.truncate(2);
  expect(series.length).toBe(2);
  expect(series.last(0, 0)).toBe(1);
  expect(series.csv(Uint32Array.of(7, 8)).split('\n').length).toBe(1 + 4 + 1);
});

test('a table under the names of other stacks has their sums in its last columns, and a gap where one part has one', () => {
  const series = new Series(2);
  const metrics = new Float64Array(2 * METRICS).fill(NaN);
  const set = (id: MetricId, ...values: number[]): void =>
    values.forEach((x, s) => (metrics[s * METRICS + metricIndex[id]] = x));
  set('entropy', 1.25, 0.5);
  set('clipHigh', 0.25, 0.25);
  set('clipLow', 0.5, NaN);
  series.put({ ...record(0, 0), metrics });
  const seeds = Uint32Array.of(7, 8);
  const [head, ...lines] = series
    .csv(seeds, true)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  const of = (name: string): string[] => lines.map((cells) => cells[head!.indexOf(name)]!);
  expect(of('actor/entropy')).toEqual(['1.25', '0.5']);
  expect(of('actor/pg_clipfrac')).toEqual(['0.75', '']);
  expect(of('actor/ppo_kl')).toEqual(['', '']);
  expect(series.csv(seeds)).not.toContain('/');
});
