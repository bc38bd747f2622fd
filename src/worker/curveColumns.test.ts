import { expect, test } from 'vitest';
import { Series } from '../engine/series.ts';
import { columnOfFile, filed } from '../lab/runs/filed.ts';
import { CURVES, metricIndex } from '../slots/metrics/metrics.ts';
import { columnOf, columnsOf } from './curveColumns.ts';

test('a history becomes a file in which each metric is one stretch, and a metric alone is the same', async () => {
  const [S, n] = [2, 1100];
  const series = new Series(S);
  const values = new Float32Array(n * S * CURVES).map((_, k) => (k % 11 === 0 ? NaN : k % 65_521));
  series.join({ from: 0, values, steps: Float64Array.from({ length: n }, (_, u) => 7 * (u + 1)) });
  const { steps, file } = columnsOf(series);
  expect([steps.length, steps.at(-1), file.size]).toEqual([n, 7 * n, 4 * values.length]);
  for (const metric of [0, metricIndex.entropy, CURVES - 1]) {
    const { values: found } = await columnOfFile({ S, updates: n, file }, metric);
    expect(found).toEqual(Float32Array.from({ length: n * S }, (_, row) => values[row * CURVES + metric]!));
    expect(columnOf(series, metric)).toEqual({ steps, values: found });
  }
});

test('curves in memory become the same file as the history that they are of', async () => {
  const [S, n] = [3, 5];
  const series = new Series(S);
  const values = new Float32Array(n * S * CURVES).map((_, k) => k);
  const part = { from: 0, values, steps: new Float64Array(n).fill(1) };
  series.join(part);
  const [own, found] = [filed({ S, part }), columnsOf(series)];
  expect(await own.file.arrayBuffer()).toEqual(await found.file.arrayBuffer());
});
