import { updateNumber } from '../core/counting.ts';
import { CURVES, METRICS, metricIndex, metrics, type Metric, type MetricId } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';
import { CurveBlocks, Extremes } from './curveBlocks.ts';
import { CurveRows, type Spill } from './curveRows.ts';
import { csvPieces } from './curvesCsv.ts';

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

/** An update that began with an evaluation: its index, [S] success then and entropy in it. */
export type Evaluation = {
  readonly update: number;
  readonly success: Float32Array;
  readonly entropy: Float32Array;
};

/** A longer history is thinned from blocks of updates instead of from each of them. */
const EACH = 2048;
/** What a history knows of its metrics without reading it: the first update with a number, and by replica the first above 0. */
const WATCHED = ['entropyCoef', 'resets'] as const;
type Watched = (typeof WATCHED)[number];

/**
 * Full metric history of a run: [updates, S, CURVES] in f32. NaN = not measured. Where it has a place to spill to, only the
 * newest updates are in memory; every number can be read all the same.
 */
export class Series {
  readonly S: number;
  private rows: CurveRows;
  private blocks: CurveBlocks;
  private steps = new Float64Array(64);
  private count = 0;
  /** how often updates were forgotten: what was read before may be another past */
  cuts = 0;
  private evaluated: Evaluation[] = [];
  private firstMeasured = new Float64Array(CURVES).fill(Infinity);
  private firstAbove: Record<Watched, Float64Array>;

  /** `chunks`: as many as may be in memory, where that is not for the size of the run to say. */
  constructor(S: number, spill: Spill | null = null, chunks?: number) {
    this.S = S;
    this.rows = new CurveRows(S * CURVES, spill, chunks);
    this.blocks = new CurveBlocks(S, CURVES);
    const never = (): Float64Array => new Float64Array(S).fill(Infinity);
    this.firstAbove = { entropyCoef: never(), resets: never() };
  }

  /** A copy of the first `count` updates, for a fork that goes on from there. */
  before(count: number): Series {
    const copy = new Series(this.S);
    [copy.rows, copy.blocks, copy.steps] = [this.rows.copy(), this.blocks.copy(), this.steps.slice()];
    [copy.count, copy.evaluated] = [this.count, [...this.evaluated]];
    copy.firstMeasured = this.firstMeasured.slice();
    for (const id of WATCHED) copy.firstAbove[id] = this.firstAbove[id].slice();
    copy.truncate(count);
    return copy;
  }

  /** Number of updates recorded. */
  get length(): number {
    return this.count;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.rows.bytes + this.blocks.bytes + this.steps.byteLength + 8 * this.S * this.evaluated.length;
  }

  /** Writes the record of an update; later updates that were recorded before a resume are dropped. */
  put(record: UpdateRecord): void {
    const { update, envSteps, chosen = {} } = record;
    this.truncate(update);
    // a history that begins later has nothing before
    while (this.count < update) this.end(this.rows.toWrite(this.count).fill(NaN), 0);
    const row = this.rows.toWrite(update).fill(NaN);
    for (let s = 0; s < this.S; s++) {
      row.set(record.metrics.subarray(s * METRICS, (s + 1) * METRICS), s * CURVES);
      for (const [id, numbers] of Object.entries(chosen)) row[s * CURVES + metricIndex[id as MetricId]] = numbers[s]!;
    }
    this.end(row, (update > 0 ? this.steps[update - 1]! : 0) + envSteps / this.S);
  }

  /** Updates from … to − 1, to be put together again by `join`. */
  part(from: number, to: number): SeriesPart {
    const row = this.S * CURVES;
    const values = new Float32Array((to - from) * row);
    for (let u = from; u < to; u++) values.set(this.rows.toRead(u), (u - from) * row);
    return { from, values, steps: this.steps.slice(from, to) };
  }

  /** Goes on with a part that begins at or before the present end. */
  join({ from, values, steps }: SeriesPart): void {
    const size = this.S * CURVES;
    this.truncate(from);
    for (let k = 0; k < steps.length; k++) {
      const row = this.rows.toWrite(from + k);
      row.set(values.subarray(k * size, (k + 1) * size));
      this.end(row, steps[k]!);
    }
  }

  /** The row of the next update is written. */
  private end(row: Float32Array, steps: number): void {
    const u = this.count++;
    if (u >= this.steps.length) {
      const longer = new Float64Array(this.steps.length * 2);
      longer.set(this.steps);
      this.steps = longer;
    }
    this.steps[u] = steps;
    let isEvaluated = false;
    for (let k = 0; k < row.length; k++) {
      const [m, x] = [k % CURVES, row[k]!];
      if (Number.isNaN(x)) continue;
      if (this.firstMeasured[m]! > u) this.firstMeasured[m] = u;
      if (m === metricIndex.evalSuccess) isEvaluated = true;
    }
    const of = (id: MetricId): Float32Array =>
      Float32Array.from({ length: this.S }, (_, s) => row[s * CURVES + metricIndex[id]]!);
    if (isEvaluated) this.evaluated.push({ update: u, success: of('evalSuccess'), entropy: of('entropy') });
    for (const id of WATCHED)
      for (let s = 0; s < this.S; s++) {
        const first = this.firstAbove[id];
        if (first[s]! > u && row[s * CURVES + metricIndex[id]]! > 0) first[s] = u;
      }
  }

  /** Forgets every update from `count` on, after going back to a checkpoint. */
  truncate(count: number): void {
    if (count >= this.count) return;
    this.cuts++;
    this.count = count;
    this.rows.truncate(count);
    this.blocks.truncate(count);
    while (this.evaluated.length > 0 && this.evaluated.at(-1)!.update >= count) this.evaluated.pop();
    for (const first of [this.firstMeasured, ...Object.values(this.firstAbove)])
      first.forEach((u, k) => u >= count && (first[k] = Infinity));
  }

  at(update: number, s: number, metric: number): number {
    return this.rows.at(update, s * CURVES + metric);
  }

  /** Environment steps per replica up to and including this update. */
  envSteps(update: number): number {
    return this.steps[update]!;
  }

  /** The earliest first. They are in memory, however long the run is. */
  evaluations(): readonly Evaluation[] {
    return this.evaluated;
  }

  /** True if a metric of replica s has been above 0. */
  wasAbove0(metric: Watched, s: number): boolean {
    return this.firstAbove[metric][s]! < Infinity;
  }

  /** True if the policy was measured before the first update. */
  private get knowsStart(): boolean {
    return metrics.some((metric: Metric, m) => metric.isBefore === true && this.firstMeasured[m] === 0);
  }

  /** True if a metric has a number anywhere. */
  private isMeasured(metric: number): boolean {
    return this.firstMeasured[metric]! < Infinity;
  }

  /** Last measured value of a metric, or NaN. */
  last(s: number, metric: number): number {
    for (let u = this.count - 1; u >= this.firstMeasured[metric]!; u--) {
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
    this.blocks.follow(this.count, (u, s, m) => this.at(u, s, m));
    const whole = this.count <= points;
    // a block as a bucket takes in whole ones only; what comes after them is the last
    const unit = whole || (this.count <= EACH && this.rows.hasInMemory(0)) ? 1 : this.blocks.width;
    const units = Math.ceil(this.count / unit);
    const buckets = whole ? this.count : Math.min(units, Math.floor(points / 2));
    const width = whole ? 1 : 2;
    const rows = buckets * width;
    const update = new Float32Array(rows);
    const envSteps = new Float32Array(rows);
    const stepsBefore = new Float32Array(rows);
    const values = new Float32Array(CURVES * this.S * rows).fill(NaN);
    for (let k = 0; k < buckets; k++) {
      const from = unit * Math.floor((k * units) / buckets);
      const to = Math.min(this.count, unit * Math.floor(((k + 1) * units) / buckets));
      for (let j = 0; j < width; j++) {
        const u = j === 0 ? from : to - 1;
        update[k * width + j] = updateNumber(u);
        envSteps[k * width + j] = this.steps[u]!;
        stepsBefore[k * width + j] = u > 0 ? this.steps[u - 1]! : 0;
      }
      for (let m = 0; m < CURVES; m++) {
        if (!this.isMeasured(m)) continue;
        for (let s = 0; s < this.S; s++) {
          const found = unit === 1 ? this.extremes(from, to, s, m) : this.extremesOfBlocks(from, to, s, m);
          const at = (m * this.S + s) * rows + k * width;
          values[at] = found.first;
          if (width === 2) values[at + 1] = found.second;
        }
      }
    }
    return { update, envSteps, stepsBefore, values, points: rows };
  }

  /** Minimum and maximum of metric m in these updates, in their order. */
  private extremes(from: number, to: number, s: number, m: number): Extremes {
    const found = new Extremes();
    for (let u = from; u < to; u++) found.see(this.at(u, s, m));
    return found;
  }

  private extremesOfBlocks(from: number, to: number, s: number, m: number): Extremes {
    const { width, count } = this.blocks;
    const found = new Extremes();
    const blocks = Math.min(count, Math.floor(to / width));
    this.blocks.each(from / width, blocks, s, m, (x) => found.see(x));
    for (let u = Math.max(from, blocks * width); u < to; u++) found.see(this.at(u, s, m));
    return found;
  }

  /** All numbers as a table, piece by piece: see `csvPieces`. */
  csvPieces(seeds: Uint32Array, hasAliases = false): Generator<string> {
    const { knowsStart } = this;
    return csvPieces(this, { seeds, hasAliases, knowsStart, isMeasured: (m) => this.isMeasured(m) });
  }

  /** The same as one text, which only a run of usual size has room for. */
  csv(seeds: Uint32Array, hasAliases = false): string {
    return [...this.csvPieces(seeds, hasAliases)].join('');
  }
}
