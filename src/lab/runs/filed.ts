import { CURVES } from '../../slots/metrics/metrics.ts';
import type { HeldCurves } from './heldFile.ts';
import { ofHeld } from './inParts.ts';
import type { Curves } from './summary.ts';
import type { Column } from './verify.ts';

/** Curves of S seeds as a file in which a metric is one stretch: [CURVES, updates, S] as the bytes of f32. */
export type Filed = { readonly S: number; readonly updates: number; readonly file: Blob };

/** One metric of curves in memory. */
export function columnIn({ S, part }: Curves, metric: number): Column {
  const values = new Float32Array(part.steps.length * S);
  for (let row = 0; row < values.length; row++) values[row] = part.values[row * CURVES + metric]!;
  return { S, values };
}

/** One metric after the other of two that are in memory. */
export const inBoth =
  (a: Curves, b: Curves) =>
  async (metric: number): Promise<readonly [Column, Column]> => [columnIn(a, metric), columnIn(b, metric)];

/** The curves as a file, which the browser need not hold in the memory of the page. */
export const filed = (curves: Curves): Filed => ({
  ...{ S: curves.S, updates: curves.part.steps.length },
  file: new Blob(Array.from({ length: CURVES }, (_, m) => new Blob([columnIn(curves, m).values as BlobPart]))),
});

/** One metric of such a file; it rejects where the file cannot be read any more. */
export async function columnOfFile({ S, updates, file }: Filed, metric: number): Promise<Column> {
  const bytes = Float32Array.BYTES_PER_ELEMENT * updates * S;
  return { S, values: new Float32Array(await file.slice(metric * bytes, (metric + 1) * bytes).arrayBuffer()) };
}

/** Curves part after part as such files, and how many episodes of other tabs trained the run. */
export type KnownCurves = { readonly foreign: number; readonly parts: readonly Filed[] };

/** The same of curves in a file: one part at a time is in memory. */
export async function filedInParts({ S, held }: HeldCurves): Promise<readonly Filed[]> {
  const files: Filed[] = [];
  for await (const part of ofHeld(held, S).parts()) files.push(filed({ S, part }));
  return files;
}

/** One metric of such files; it rejects where one of them cannot be read any more. */
export async function columnOfParts([first, ...others]: readonly Filed[], metric: number): Promise<Column> {
  const { S, values: begin } = await columnOfFile(first!, metric);
  const rest = await Promise.all(others.map((each) => columnOfFile(each, metric)));
  const values = new Float32Array(rest.reduce((sum, { values: { length } }) => sum + length, begin.length));
  let at = 0;
  for (const some of [begin, ...rest.map((each) => each.values)]) {
    values.set(some, at);
    at += some.length;
  }
  return { S, values };
}
