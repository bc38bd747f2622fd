import { aliases } from '../slots/metrics/aliases.ts';
import { updateNumber } from '../core/counting.ts';
import { CURVES, METRICS, metricIndex, metrics, type Metric, type MetricId } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';

/** Some neighboring updates of a history, in a form that travels: [n, S, CURVES], and environment steps until each [n]. */
export type SeriesPart = { readonly from: number; readonly values: Float32Array; readonly steps: Float64Array };

/** Curves for the eye: number of each update, environment steps after and before it, [CURVES, S, points]. */
export type Thinned = {
  readonly points: number;
  readonly update: Float32Array;
  readonly envSteps: Float32Array;
  readonly stepsBefore: Float32Array;
  readonly values: Float32Array;
};

/** Updates from … to − 1, and the rows that they become. */
type Bucket = { readonly from: number; readonly to: number; readonly width: number };

/** Full metric history of a run: [updates, S, CURVES] in f32, grown by doubling. NaN = not measured. */
export class Series {
  readonly S: number;
  private values: Float32Array;
  private steps: Float64Array;
  private count = 0;

  constructor(S: number) {
    this.S = S;
    this.values = new Float32Array(64 * S * CURVES);
    this.steps = new Float64Array(64);
  }

  /** A copy of the first `count` updates, for a fork that goes on from there. */
  before(count: number): Series {
    const copy = new Series(this.S);
    copy.values = this.values.slice();
    copy.steps = this.steps.slice();
    copy.count = Math.min(this.count, count);
    return copy;
  }

  /** Number of updates recorded. */
  get length(): number {
    return this.count;
  }

  /** Writes the record of an update; later updates that were recorded before a resume are dropped. */
  put(record: UpdateRecord): void {
    const row = this.S * CURVES;
    this.grow(record.update + 1);
    for (let s = 0; s < this.S; s++) {
      const at = record.update * row + s * CURVES;
      this.values.fill(NaN, at, at + CURVES);
      this.values.set(record.metrics.subarray(s * METRICS, (s + 1) * METRICS), at);
      for (const [id, numbers] of Object.entries(record.chosen ?? {}))
        this.values[at + metricIndex[id as MetricId]] = numbers[s]!;
    }
    this.steps[record.update] = (record.update > 0 ? this.steps[record.update - 1]! : 0) + record.envSteps / this.S;
    this.count = record.update + 1;
  }

  /** Updates from … to − 1, to be put together again by `join`. */
  part(from: number, to: number): SeriesPart {
    const row = this.S * CURVES;
    return { from, values: this.values.slice(from * row, to * row), steps: this.steps.slice(from, to) };
  }

  /** Goes on with a part that begins at or before the present end. */
  join({ from, values, steps }: SeriesPart): void {
    const row = this.S * CURVES;
    this.grow(from + steps.length);
    this.values.set(values, from * row);
    this.steps.set(steps, from);
    this.count = from + steps.length;
  }

  private grow(updates: number): void {
    const row = this.S * CURVES;
    while (updates * row > this.values.length) {
      const values = new Float32Array(this.values.length * 2);
      values.set(this.values);
      this.values = values;
      const steps = new Float64Array(this.steps.length * 2);
      steps.set(this.steps);
      this.steps = steps;
    }
  }

  /** Forgets every update from `count` on, after going back to a checkpoint. */
  truncate(count: number): void {
    this.count = Math.min(this.count, count);
  }

  at(update: number, s: number, metric: number): number {
    return this.values[(update * this.S + s) * CURVES + metric]!;
  }

  /** Environment steps per replica up to and including this update. */
  envSteps(update: number): number {
    return this.steps[update]!;
  }

  /** True if the policy was measured before the first update. */
  private get knowsStart(): boolean {
    const isMeasured = (metric: Metric, m: number): boolean =>
      metric.isBefore === true &&
      Array.from({ length: this.S }, (_, s) => this.at(0, s, m)).some((x) => !Number.isNaN(x));
    return this.count > 0 && metrics.some(isMeasured);
  }

  /** True if a metric has a number anywhere. */
  private isMeasured(metric: number): boolean {
    for (let u = 0; u < this.count; u++)
      for (let s = 0; s < this.S; s++) if (!Number.isNaN(this.at(u, s, metric))) return true;
    return false;
  }

  /** Last measured value of a metric, or NaN. */
  last(s: number, metric: number): number {
    for (let u = this.count - 1; u >= 0; u--) {
      const value = this.at(u, s, metric);
      if (!Number.isNaN(value)) return value;
    }
    return NaN;
  }

  /**
   * At most `points` rows with the same update index for all seeds. Each bucket of updates gives two rows, holding its
   * minimum and maximum in the order in which they occurred, so that spikes survive thinning.
   */
  thin(points: number): Thinned {
    const whole = this.count <= points;
    const buckets = whole ? this.count : Math.floor(points / 2);
    const rows = whole ? this.count : buckets * 2;
    const update = new Float32Array(rows);
    const envSteps = new Float32Array(rows);
    const stepsBefore = new Float32Array(rows);
    const values = new Float32Array(CURVES * this.S * rows);
    for (let k = 0; k < buckets; k++) {
      const from = whole ? k : Math.floor((k * this.count) / buckets);
      const to = whole ? k + 1 : Math.floor(((k + 1) * this.count) / buckets);
      const width = whole ? 1 : 2;
      const bucket = { from, to, width };
      for (let j = 0; j < width; j++) {
        const u = whole ? k : j === 0 ? from : to - 1;
        update[k * width + j] = updateNumber(u);
        envSteps[k * width + j] = this.steps[u]!;
        stepsBefore[k * width + j] = u > 0 ? this.steps[u - 1]! : 0;
      }
      for (let m = 0; m < CURVES; m++) {
        for (let s = 0; s < this.S; s++) this.extremes(bucket, s, m, values, (m * this.S + s) * rows + k * width);
      }
    }
    return { update, envSteps, stepsBefore, values, points: rows };
  }

  /** Minimum and maximum of metric m in these updates, in their order, into `width` places of out[at …]. */
  private extremes({ from, to, width }: Bucket, s: number, m: number, out: Float32Array, at: number): void {
    let low = NaN;
    let high = NaN;
    let lowAt = 0;
    let highAt = 0;
    for (let u = from; u < to; u++) {
      const x = this.at(u, s, m);
      if (Number.isNaN(x)) continue;
      if (!(x >= low)) {
        low = x;
        lowAt = u;
      }
      if (!(x <= high)) {
        high = x;
        highAt = u;
      }
    }
    out[at] = lowAt <= highAt ? low : high;
    if (width === 2) out[at + 1] = lowAt <= highAt ? high : low;
  }

  /**
   * One line per update and seed, one column per metric (of those to choose only what was measured), then one per alias if wanted; empty = not measured. Updates count
   * from 1, and what is measured on the policy between two of them stands after the first: line 0 is the start.
   */
  csv(seeds: Uint32Array, hasAliases = false): string {
    const columns = [
      ...metrics.flatMap((metric: Metric, m) =>
        m < METRICS || this.isMeasured(m) ? [{ name: metric.id, sum: [m], later: metric.isBefore ? 1 : 0 }] : [],
      ),
      ...(hasAliases
        ? aliases.map(({ name, sum }) => ({ name, sum: sum.map((id) => metricIndex[id]), later: 0 }))
        : []),
    ];
    const lines = [['update', 'seed', 'envSteps', ...columns.map(({ name }) => name)].join(',')];
    for (let n = this.knowsStart ? 0 : 1; n <= this.count; n++) {
      for (let s = 0; s < this.S; s++) {
        const row = [n, seeds[s]!, n === 0 ? 0 : Math.round(this.steps[n - 1]!)] as (number | string)[];
        for (const { sum, later } of columns) {
          const u = n - 1 + later;
          const isKnown = u >= 0 && u < this.count;
          const x = isKnown ? sum.reduce((total, m) => total + this.at(u, s, m), 0) : NaN;
          row.push(Number.isNaN(x) ? '' : Number(x.toPrecision(7)));
        }
        lines.push(row.join(','));
      }
    }
    return lines.join('\n') + '\n';
  }
}
