import { iqm, quantileSorted } from '../../core/stats.ts';
import { metricIndex, metrics, type Metric } from '../../slots/metrics/metrics.ts';
import type { MeasuredHistory, SeriesFrame } from '../../worker/protocol.ts';
import { countedAxis, type XAxis } from '../stores/view.ts';

/** Most thin lines in one chart; beyond it the band speaks for the seeds. */
export const MAX_LINES = 5;

/** One x position: the seeds' values, their interquartile mean, and the band. Missing values are left out. */
export type Row = {
  readonly x: number;
  readonly iqm?: number;
  readonly band?: readonly [number, number];
  /** interquartile means of a number drawn beside this one, and of one that bounds it from above */
  readonly start?: number;
  readonly most?: number;
  /** that of another metric, on its own axis */
  readonly second?: number;
  readonly [seed: string]: unknown;
};

/** Band of sorted values: quartiles from four seeds on, else lowest to highest. */
export function bandOf(sorted: readonly number[]): [number, number] {
  if (sorted.length < 4) return [sorted[0]!, sorted.at(-1)!];
  return [quantileSorted(sorted, 0.25), quantileSorted(sorted, 0.75)];
}

/** Adds the interquartile mean of another metric to the rows of a chart, as far as it was measured there. */
export function withOther(
  rows: Row[],
  name: 'start' | 'most' | 'second',
  series: SeriesFrame,
  metric: number,
  xAxis: XAxis,
): Row[] {
  const others = new Map(rowsOf(series, metric, xAxis).map((row) => [row.x, row.iqm]));
  return rows.map((row) => {
    const other = others.get(row.x);
    return other === undefined ? row : { ...row, [name]: other };
  });
}

/** Lowest and highest of everything that is drawn in the rows of a chart. */
export function rangeOfRows(rows: readonly Row[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { x: _, second: __, ...drawn } of rows) {
    for (const y of Object.values(drawn).flat()) {
      if (typeof y !== 'number' || !Number.isFinite(y)) continue;
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/**
 * True where a number drawn beside another would be flat on its axis, and so gets one of its own: what it can be, `beside`,
 * is less than half of what is drawn.
 */
export function needsOwnAxis(rows: readonly Row[], beside: readonly [number, number] | undefined): boolean {
  if (beside === undefined || !rows.some((row) => row.start !== undefined)) return false;
  const [low, high] = rangeOfRows(rows);
  return high - low > 2 * (beside[1] - beside[0]);
}

/** True for a run with a simulated clock. */
export const hasClock = (series: SeriesFrame): boolean => series.points > 0 && !Number.isNaN(timeAt(series, 0));

/** Simulated time when the update of a point had ended, mean over the seeds. */
export function timeAt({ values, S, points }: SeriesFrame, k: number): number {
  let sum = 0;
  for (let s = 0; s < S; s++) sum += values[(metricIndex.simTime * S + s) * points + k]!;
  return sum / S;
}

/** Place of a point on the x axis: that of its update, or of the policy before it where that was measured. */
export function placeOfPoint(series: SeriesFrame, k: number, metric: number, xAxis: XAxis): number {
  const { isBefore }: Metric = metrics[metric]!;
  if (xAxis === 'simTime' && hasClock(series)) return isBefore && k === 0 ? 0 : timeAt(series, k - (isBefore ? 1 : 0));
  if (xAxis !== 'envSteps') return series.update[k]! - (isBefore ? 1 : 0);
  return (isBefore ? series.stepsBefore : series.envSteps)[k]!;
}

/** Rows of a chart for one metric; x positions where nothing was measured give no row. */
export function rowsOf(series: SeriesFrame, metric: number, xAxis: XAxis): Row[] {
  const rows: Row[] = [];
  const { S, points } = series;
  for (let k = 0; k < points; k++) {
    const row: Record<string, unknown> = { x: placeOfPoint(series, k, metric, xAxis) };
    const values: number[] = [];
    for (let s = 0; s < S; s++) {
      const value = series.values[(metric * S + s) * points + k]!;
      if (Number.isNaN(value)) continue;
      values.push(value);
      if (s < MAX_LINES) row[`s${s}`] = value;
    }
    if (values.length === 0) continue;
    row['iqm'] = iqm(values);
    if (S > 1) row['band'] = bandOf([...values].sort((a, b) => a - b));
    rows.push(row as Row);
  }
  return rows;
}

/** The rows as comma-separated text with every seed. */
export function csvOf(series: SeriesFrame, metric: number, name: string, firstSeed: number): string {
  const head = ['update', 'envSteps', ...Array.from({ length: series.S }, (_, s) => `${name} seed ${firstSeed + s}`)];
  const lines = [head.join(',')];
  for (let k = 0; k < series.points; k++) {
    const values = Array.from(
      { length: series.S },
      (_, s) => series.values[(metric * series.S + s) * series.points + k]!,
    );
    if (values.every(Number.isNaN)) continue;
    lines.push(
      [
        placeOfPoint(series, k, metric, 'update'),
        Math.round(placeOfPoint(series, k, metric, 'envSteps')),
        ...values.map((v) => (Number.isNaN(v) ? '' : v)),
      ].join(','),
    );
  }
  return lines.join('\n') + '\n';
}

/** Rows of a measure of the batches that were shown; batches where it is not known give no row. */
export function measuredRows(history: MeasuredHistory, measure: number, xAxis: XAxis): Row[] {
  const rows: Row[] = [];
  for (let k = 0; k < history.points; k++) {
    const value = history.values[measure * history.points + k]!;
    if (!Number.isNaN(value)) rows.push({ x: history[countedAxis(xAxis)][k]!, iqm: value });
  }
  return rows;
}

/** The same with update and environment steps, for tables and as comma-separated text. */
export function measuredTable(
  history: MeasuredHistory,
  measure: number,
): { readonly update: number; readonly envSteps: number; readonly value: number }[] {
  const rows = Array.from({ length: history.points }, (_, k) => ({
    update: history.update[k]!,
    envSteps: Math.round(history.envSteps[k]!),
    value: history.values[measure * history.points + k]!,
  }));
  return rows.filter((r) => !Number.isNaN(r.value));
}

export function measuredCsv(history: MeasuredHistory, measure: number, name: string): string {
  const lines = measuredTable(history, measure).map((r) => `${r.update},${r.envSteps},${r.value}`);
  return [`update,envSteps,${name}`, ...lines].join('\n') + '\n';
}
