import type { Batch } from '../contract/columns.ts';
import { isMeasured } from '../contract/rows.ts';
import { selectRows } from '../contract/creditSubset.ts';

/** The part of a batch that metrics of the policy count, and which rows these are; the batch itself if it is all. */
export function measuredPart(batch: Batch): { readonly batch: Batch; readonly rows: readonly number[] } {
  if (!batch.measured?.includes(0)) return { batch, rows: Array.from({ length: batch.B }, (_, i) => i) };
  return selectRows(batch, (i) => isMeasured(batch, i));
}

/** The part of the numbers per trajectory that belongs to these ones. */
export function partOf<T extends Float32Array | Uint32Array | Int32Array>(
  values: T,
  B: number,
  rows: readonly number[],
): T {
  if (rows.length === B) return values;
  const each = values.length / B;
  const part = values.slice(0, rows.length * each) as T;
  rows.forEach((i, k) => part.set(values.subarray(i * each, (i + 1) * each), k * each));
  return part;
}
