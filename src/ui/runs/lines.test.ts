import { expect, test } from 'vitest';
import type { RunRecord } from '../../lab/runs/record.ts';
import { evaluationLine, metricLine, smoothed, thinned, within, zoomed } from './lines.ts';

const run = {
  ...{ seconds: 8, update: 4 },
  evaluations: { updates: [0, 2, 4], steps: [0, 20, 40], success: [0, 0.5, 1] },
} as unknown as RunRecord;

test('evaluations can be seen over updates, steps and seconds', () => {
  expect(evaluationLine(run, 'updates').steps).toEqual([0, 2, 4]);
  expect(evaluationLine(run, 'steps').steps).toEqual([0, 20, 40]);
  expect(evaluationLine(run, 'seconds').steps).toEqual([0, 4, 8]);
});

test('a metric is read by its name, without points where it was not measured', () => {
  const curves = {
    ...{ id: 'a', columns: ['other', 'loss'] },
    part: { from: 0, values: Float32Array.of(9, 1, 9, NaN, 9, 3, 9, 4), steps: Float64Array.of(10, 20, 30, 40) },
  };
  expect(metricLine(run, curves, { id: 'loss' }, 'steps')).toEqual({ steps: [10, 30, 40], success: [1, 3, 4] });
  // measured before the update it came with
  expect(metricLine(run, curves, { id: 'loss', isBefore: true }, 'steps')!.steps).toEqual([0, 20, 30]);
  expect(metricLine(run, curves, { id: 'loss' }, 'seconds')!.steps).toEqual([2, 6, 8]);
  expect(metricLine(run, curves, { id: 'unknown' }, 'steps')).toBeNull();
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
