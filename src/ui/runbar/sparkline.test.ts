import { expect, test } from 'vitest';
import { metricIndex, METRICS } from '../../slots/metrics/metrics.ts';
import { lineOf, successOf } from './Sparkline.tsx';

test('the line of the run bar is the mean of the seeds, as far to the right as the run has come', () => {
  const [S, points] = [2, 3];
  const values = new Float32Array(METRICS * S * points);
  values.set([0, 0.5, 1, 0, 0, 0.5], metricIndex.success * S * points);
  const none = new Float32Array(points);
  const success = successOf({ values, S, points, update: none, envSteps: none, stepsBefore: none });
  expect(success).toEqual([0, 0.25, 0.75]);
  expect(lineOf(success, 50, 200)).toBe('0.0,29.0 25.0,22.0 50.0,8.0');
  expect(lineOf([], 0, 200)).toBe('');
});
