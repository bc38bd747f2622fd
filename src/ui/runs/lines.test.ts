import { expect, test } from 'vitest';
import type { RunRecord } from '../../lab/runs/record.ts';
import { drawable, evaluationLine, metricLine, smoothed, thinned, within, zoomed } from './lines.ts';

const run = {
  ...{ seconds: 8, update: 4 },
  evaluations: { updates: [0, 2, 4], steps: [0, 20, 40], success: [0, 0.5, 1] },
} as unknown as RunRecord;

test('evaluations can be seen over updates, steps and seconds', () => {
  expect(evaluationLine(run, 'updates').steps).toEqual([0, 2, 4]);
  expect(evaluationLine(run, 'steps').steps).toEqual([0, 20, 40]);
  expect(evaluationLine(run, 'seconds').steps).toEqual([0, 4, 8]);
});

test('a metric can be seen over updates, steps and seconds; one that was never measured has no line', () => {
  const measured = {
    ...{ updates: Uint32Array.of(1, 3, 4), steps: Float64Array.of(10, 30, 40) },
    values: Float32Array.of(1, 3, 4),
  };
  expect(metricLine(run, measured, 'steps')).toEqual({ steps: [10, 30, 40], success: [1, 3, 4] });
  expect(metricLine(run, measured, 'updates')!.steps).toEqual([1, 3, 4]);
  expect(metricLine(run, measured, 'seconds')!.steps).toEqual([2, 6, 8]);
  const none = { updates: new Uint32Array(), steps: new Float64Array(), values: new Float32Array() };
  expect(metricLine(run, none, 'steps')).toBeNull();
});

test('a long run is held by its extremes, its ends, and the means of its stretches', () => {
  const n = 20_000;
  const measured = {
    updates: Uint32Array.from({ length: n }, (_, u) => u + 1),
    steps: Float64Array.from({ length: n }, (_, u) => 512 * (u + 1)),
    values: Float32Array.from({ length: n }, (_, u) => (u === 7001 ? 9 : u === 13_337 ? -9 : u % 2)),
  };
  const { line, even, width } = drawable(measured, 1000);
  expect(line.values.length).toBeLessThanOrEqual(1000);
  expect(line.updates[line.values.indexOf(9)]).toBe(7002);
  expect(line.updates[line.values.indexOf(-9)]).toBe(13_338);
  expect([line.updates[0], line.updates.at(-1), line.steps.at(-1)]).toEqual([1, n, 512 * n]);
  expect([width, even.values.length, even.updates.at(-1), even.values[0]]).toEqual([40, 500, n, 0.5]);
  // one that has room stays as it is
  expect(drawable(measured, n)).toEqual({ line: measured, even: measured, width: 1 });
});

test('a smoothed constant is that constant from its first point on, and no smoothing changes nothing', () => {
  const flat = { steps: [0, 1, 2, 3], success: [0.7, 0.7, 0.7, 0.7] };
  for (const y of smoothed(flat, 0.9).success) expect(y).toBeCloseTo(0.7, 12);
  expect(smoothed(flat, 0)).toEqual(flat);
  // (0.5·0.5·0 + 0.5·1) / (1 − 0.25)
  expect(smoothed({ steps: [0, 1], success: [0, 1] }, 0.5).success[1]).toBeCloseTo(2 / 3, 12);
});

test('spikes survive thinning', () => {
  const y = Array.from({ length: 1000 }, (_, k) => (k === 500 ? 9 : k === 700 ? -9 : 0));
  const thin = thinned({ steps: y.map((_, k) => k), success: y }, 100);
  expect(thin.steps.length).toBeLessThanOrEqual(100);
  expect(thin.steps[thin.success.indexOf(9)]).toBe(500);
  expect(thin.steps[thin.success.indexOf(-9)]).toBe(700);
  expect(thin.steps).toEqual(thin.steps.toSorted((a, b) => a - b));
});

test('a part of a curve has every point inside, and one more on each side', () => {
  const curve = { steps: [0, 1, 2, 3, 4, 5], success: [0, 1, 2, 3, 4, 5] };
  expect(within(curve, [1.5, 3]).steps).toEqual([1, 2, 3, 4]);
  expect(within(curve, [0, 9]).steps).toEqual(curve.steps);
  expect(within(curve, [7, 9]).steps).toEqual([5]);
  expect(within(curve, [2.2, 2.4]).steps).toEqual([2, 3]);
});

test('zooming stays inside the axis, keeps its place, and ends with all of it', () => {
  expect(zoomed([0, 100], { at: 50, factor: 0.5, end: 100 })).toEqual([25, 75]);
  expect(zoomed([0, 100], { at: 0, factor: 0.5, end: 100 })).toEqual([0, 50]);
  expect(zoomed([25, 75], { at: 100, factor: 1, end: 100 })).toEqual([50, 100]);
  expect(zoomed([25, 75], { at: 50, factor: 2, end: 100 })).toBeNull();
  const [low, high] = zoomed([50, 50.1], { at: 50, factor: 0.5, end: 100 })!;
  expect(high - low).toBeCloseTo(0.1, 12);
});
