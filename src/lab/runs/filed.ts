import { CURVES } from '../../slots/metrics/metrics.ts';
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
