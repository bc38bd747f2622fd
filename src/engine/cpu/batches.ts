import { mapColumns, type Batch } from '../../contract/columns.ts';
import { originOf } from '../../contract/rows.ts';
import { sum } from '../../core/stats.ts';

/** Share of flags that are 1. */
export function shareOf(flags: Uint32Array): number {
  let n = 0;
  for (const f of flags) n += f;
  return n / flags.length;
}

/** The same batch with arrays of its own. */
export const copyBatch = (batch: Batch): Batch => mapColumns(batch, (values) => values.slice());

/** The same numbers with 0 on padding, which may hold those of a longer episode. */
export function realSteps({ T }: Pick<Batch, 'T'>, length: Uint32Array, values: Float32Array): Float32Array {
  length.forEach((n, i) => values.fill(0, i * T + n, (i + 1) * T));
  return values;
}

/** [B] 1 = learned from: rows that neither the estimator leaves out nor their scheme; undefined where all are. */
export function keptRows(keep: Uint8Array | undefined, trains: Uint8Array): Uint8Array | undefined {
  if (trains.every((x) => x === 1)) return keep;
  return trains.map((x, i) => x & (keep?.[i] ?? 1));
}

export const bytesIn = (arrays: readonly { readonly byteLength: number }[]): number =>
  arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);

const REPLAY = originOf('replay');

/** Environment steps that a batch took: those that a row shares with its parent were taken once, and those of a replay before. */
export const stepsPlayed = ({ length, branchStep, origin }: Pick<Batch, 'length' | 'branchStep' | 'origin'>): number =>
  sum(length.filter((_, i) => origin?.[i] !== REPLAY)) - sum(branchStep ?? []);
