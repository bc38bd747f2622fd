import { aliases } from '../methods/analysis/aliases.ts';
import { METRICS, metricIndex, metrics } from '../methods/analysis/metrics.ts';
import type { UpdateRecord } from './backend.ts';

/** Full metric history of a run: [updates, S, METRICS] in f32, grown by doubling. NaN = not measured. */
export class Series {
  readonly S: number;
  private values: Float32Array;
  private steps: Float64Array;
  private count = 0;

  constructor(S: number) {
    this.S = S;
    this.values = new Float32Array(64 * S * METRICS);
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
    const row = this.S * METRICS;
    if ((record.update + 1) * row > this.values.length) {
      const values = new Float32Array(this.values.length * 2);
      values.set(this.values);
      this.values = values;
      const steps = new Float64Array(this.steps.length * 2);
      steps.set(this.steps);
      this.steps = steps;
    }
    this.values.set(record.metrics, record.update * row);
    this.steps[record.update] = (record.update > 0 ? this.steps[record.update - 1]! : 0) + record.envSteps / this.S;
    this.count = record.update + 1;
  }

  /** Forgets every update from `count` on, after going back to a checkpoint. */
  truncate(count: number): void {
    this.count = Math.min(this.count, count);
  }

  at(update: number, s: number, metric: number): number {
    return this.values[(update * this.S + s) * METRICS + metric]!;
  }

  /** Environment steps per replica up to and including this update. */
  envSteps(update: number): number {
    return this.steps[update]!;
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
  thin(points: number): { update: Float32Array; envSteps: Float32Array; values: Float32Array; points: number } {
    const whole = this.count <= points;
    const buckets = whole ? this.count : Math.floor(points / 2);
    const rows = whole ? this.count : buckets * 2;
    const update = new Float32Array(rows);
    const envSteps = new Float32Array(rows);
    const values = new Float32Array(METRICS * this.S * rows);
    for (let k = 0; k < buckets; k++) {
      const from = whole ? k : Math.floor((k * this.count) / buckets);
      const to = whole ? k + 1 : Math.floor(((k + 1) * this.count) / buckets);
      const width = whole ? 1 : 2;
      for (let j = 0; j < width; j++) {
        const u = whole ? k : j === 0 ? from : to - 1;
        update[k * width + j] = u;
        envSteps[k * width + j] = this.steps[u]!;
      }
      for (let m = 0; m < METRICS; m++) {
        for (let s = 0; s < this.S; s++)
          this.extremes(from, to, s, m, values, (m * this.S + s) * rows + k * width, width);
      }
    }
    return { update, envSteps, values, points: rows };
  }

  private extremes(from: number, to: number, s: number, m: number, out: Float32Array, at: number, width: number): void {
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

  /** One line per update and seed, one column per metric, then one per alias if wanted; empty = not measured. */
  csv(seeds: Uint32Array, hasAliases = false): string {
    const columns = [
      ...metrics.map(({ id }, m) => ({ name: id as string, sum: [m] })),
      ...(hasAliases ? aliases.map(({ name, sum }) => ({ name, sum: sum.map((id) => metricIndex[id]) })) : []),
    ];
    const lines = [['update', 'seed', 'envSteps', ...columns.map(({ name }) => name)].join(',')];
    for (let u = 0; u < this.count; u++) {
      for (let s = 0; s < this.S; s++) {
        const row = [u, seeds[s]!, Math.round(this.steps[u]!)] as (number | string)[];
        for (const { sum } of columns) {
          const x = sum.reduce((total, m) => total + this.at(u, s, m), 0);
          row.push(Number.isNaN(x) ? '' : Number(x.toPrecision(7)));
        }
        lines.push(row.join(','));
      }
    }
    return lines.join('\n') + '\n';
  }
}
