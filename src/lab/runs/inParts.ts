import type { Evaluation, Series, SeriesPart } from '../../engine/series.ts';
import { csvPieces } from '../../engine/curvesCsv.ts';
import { CURVES, metricIndex, metrics, type Metric, type MetricId } from '../../slots/metrics/metrics.ts';
import { partsIn, type HeldFile } from './heldFile.ts';
import type { Curves, Numbers } from './summary.ts';

/**
 * Every number of S seeds, which stays where it is, in a file, a database or a history: whoever reads gets some updates
 * after the other, from the first on, and as often as they want.
 */
export type CurvesInParts = {
  readonly S: number;
  readonly updates: number;
  readonly parts: () => Iterable<SeriesPart> | AsyncIterable<SeriesPart>;
};

/** Numbers of a part where nobody else says how many: one MiB of them. */
const NUMBERS = 2 ** 18;

/** Updates of such a part, of S seeds. */
export const updatesOfPart = (S: number): number => Math.max(1, Math.floor(NUMBERS / (S * CURVES)));

function* stretches(S: number, updates: number): Generator<readonly [from: number, to: number]> {
  const size = updatesOfPart(S);
  for (let from = 0; from < updates; from += size) yield [from, Math.min(updates, from + size)];
}

/** Curves in memory; a part is a view of them. */
export const inParts = ({ S, part: { values, steps } }: Curves): CurvesInParts => ({
  ...{ S, updates: steps.length },
  *parts() {
    const row = S * CURVES;
    for (const [from, to] of stretches(S, steps.length))
      yield { from, values: values.subarray(from * row, to * row), steps: steps.subarray(from, to) };
  },
});

/** The first updates of a history that goes on elsewhere: those that it has now. */
export const ofSeries = (series: Series): CurvesInParts => {
  const { S, length: updates } = series;
  return {
    ...{ S, updates },
    *parts() {
      for (const [from, to] of stretches(S, updates)) yield series.part(from, to);
    },
  };
};

/** The browser has let go of a file that it held; the message is a part of a sentence. */
export class LetGo extends Error {}

/** Curves in a file. */
export const ofHeld = (held: HeldFile, S: number): CurvesInParts => ({
  ...{ S, updates: held.parts.reduce((sum, { count }) => sum + count, 0) },
  async *parts() {
    for await (const [, part] of partsIn(held, S * CURVES)) {
      if (!part) throw new LetGo('the browser has let go of its curves while they were read');
      yield part;
    }
  },
});

/** The metrics of which every number is kept, for results, figures and what others had a part in. */
const KEPT = [
  ...['success', 'evalSuccess', 'returnMean', 'entropy', 'ess', 'approxKL', 'peerRows'],
] as const satisfies readonly MetricId[];
type Kept = (typeof KEPT)[number];

/** What is known of curves after they have been read once: a few metrics, and which of the others have a number anywhere. */
export class Overview {
  readonly S: number;
  readonly length: number;
  readonly steps: Float64Array;
  /** true if the policy was measured before the first update */
  readonly knowsStart: boolean;
  private readonly columns: ReadonlyMap<number, Float32Array>;
  private readonly measured: Uint8Array;
  private readonly evaluated: Evaluation[] = [];

  private constructor({ S, updates }: CurvesInParts, read: Pick<Overview, 'steps' | 'knowsStart'> & Found) {
    [this.S, this.length, this.steps] = [S, updates, read.steps];
    [this.knowsStart, this.columns, this.measured] = [read.knowsStart, read.columns, read.measured];
    const rowOf = (u: number, id: Kept): Float32Array =>
      this.columns.get(metricIndex[id])!.slice(u * this.S, (u + 1) * this.S);
    for (let update = 0; update < this.length; update++) {
      const success = rowOf(update, 'evalSuccess');
      if (success.every(Number.isNaN)) continue;
      this.evaluated.push({ update, success, entropy: rowOf(update, 'entropy') });
    }
  }

  /** Reads curves from the first to the last part; rejects where they end before. */
  static async of(curves: CurvesInParts): Promise<Overview> {
    const { S, updates } = curves;
    const steps = new Float64Array(updates);
    const measured = new Uint8Array(CURVES);
    const columns = new Map(KEPT.map((id) => [metricIndex[id], new Float32Array(updates * S)] as const));
    let knowsStart = false;
    let end = 0;
    for await (const part of curves.parts()) {
      if (part.from !== end || end + part.steps.length > updates) break;
      const { values } = part;
      for (let k = 0; k < values.length; k++) if (!Number.isNaN(values[k]!)) measured[k % CURVES] = 1;
      if (end === 0 && values.length > 0) knowsStart = hasStart(values.subarray(0, S * CURVES));
      for (const [m, column] of columns)
        for (let k = m, at = end * S; k < values.length; k += CURVES) column[at++] = values[k]!;
      steps.set(part.steps, end);
      end += part.steps.length;
    }
    if (end !== updates) throw new Error('its curves have changed while they were read');
    return new Overview(curves, { steps, knowsStart, columns, measured });
  }

  /** Of one of the metrics that are kept. */
  at(update: number, s: number, metric: number): number {
    return this.columns.get(metric)![update * this.S + s]!;
  }

  /** Environment steps per replica up to and including this update. */
  envSteps(update: number): number {
    return this.steps[update]!;
  }

  /** The earliest first. */
  evaluations(): readonly Evaluation[] {
    return this.evaluated;
  }

  isMeasured(metric: number): boolean {
    return this.measured[metric] === 1;
  }

  /** Every number of one of the metrics that are kept, [updates, S]. */
  column(id: Kept): Float32Array {
    return this.columns.get(metricIndex[id])!;
  }

  /** The same as a summary reads it. */
  get numbers(): Numbers {
    return { S: this.S, updates: this.length, at: (u, s, id) => this.at(u, s, metricIndex[id]) };
  }
}

type Found = { readonly columns: ReadonlyMap<number, Float32Array>; readonly measured: Uint8Array };

const hasStart = (row: Float32Array): boolean =>
  row.some((x, k) => (metrics[k % CURVES] as Metric).isBefore === true && !Number.isNaN(x));

/** All numbers as a table, piece by piece, with the bytes of `Series.csv`. */
export async function* tableOf(
  curves: CurvesInParts,
  overview: Overview,
  seeds: readonly number[],
  hasAliases: boolean,
): AsyncGenerator<string> {
  const { S, updates } = curves;
  const { knowsStart } = overview;
  const table = {
    seeds: Uint32Array.from(seeds),
    hasAliases,
    knowsStart,
    isMeasured: overview.isMeasured.bind(overview),
  };
  let before = new Float32Array();
  for await (const { from, values, steps } of curves.parts()) {
    if (steps.length === 0) continue;
    const to = from + steps.length;
    const last = before;
    const at = (u: number, s: number, m: number): number =>
      u < from ? last[s * CURVES + m]! : values[((u - from) * S + s) * CURVES + m]!;
    // of the line after an update also the next one is read, which the next part has
    const end = to === updates ? updates : to - 1;
    yield* csvPieces({ S, length: updates, at, envSteps: (u) => overview.envSteps(u) }, table, from, end);
    before = values.slice(-S * CURVES);
  }
}
