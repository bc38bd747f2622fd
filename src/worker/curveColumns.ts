import type { Series, SeriesPart } from '../engine/series.ts';
import { heldOf, type HeldFile } from '../lab/runs/heldFile.ts';
import { ofSeries } from '../lab/runs/inParts.ts';
import { CURVES } from '../slots/metrics/metrics.ts';
import type { CurveColumn, CurveColumns } from './protocol.ts';

/** Updates whose rows become columns at once. */
const PIECE = 512;

const stepsOf = (series: Series): Float64Array =>
  Float64Array.from({ length: series.length }, (_, u) => series.envSteps(u));

/** Every number of a history as a file in which a metric is one stretch: whoever reads one leaves the others where they are. */
export function columnsOf(series: Series): CurveColumns {
  const pieces: { readonly file: Blob; readonly bytes: number }[] = [];
  for (let from = 0; from < series.length; from += PIECE) {
    const { values, steps } = series.part(from, Math.min(series.length, from + PIECE));
    const rows = steps.length * series.S;
    const turned = new Float32Array(values.length);
    for (let m = 0; m < CURVES; m++)
      for (let row = 0; row < rows; row++) turned[m * rows + row] = values[row * CURVES + m]!;
    pieces.push({ file: new Blob([turned]), bytes: 4 * rows });
  }
  const column = (m: number): Blob[] => pieces.map(({ file, bytes }) => file.slice(m * bytes, (m + 1) * bytes));
  return { steps: stepsOf(series), file: new Blob(Array.from({ length: CURVES }, (_, m) => column(m)).flat()) };
}

/** Every number of a history as a file of its parts, from the first update to the last. */
export function heldIn(series: Series): HeldFile {
  const held = Array.from(ofSeries(series).parts() as Iterable<SeriesPart>, (part) => heldOf([part]));
  return { from: 0, parts: held.flatMap(({ parts }) => parts), file: new Blob(held.map(({ file }) => file)) };
}

/** One metric of a history. */
export function columnOf(series: Series, metric: number): CurveColumn {
  const { S, length } = series;
  const values = Float32Array.from({ length: length * S }, (_, k) => series.at(Math.floor(k / S), k % S, metric));
  return { steps: stepsOf(series), values };
}
