import type { Batch } from '../../core/batch.ts';

/** Share of flags that are 1. */
export function shareOf(flags: Uint32Array): number {
  let n = 0;
  for (const f of flags) n += f;
  return n / flags.length;
}

/** A ← A / RMS(A) over the real steps; unchanged when all are 0. */
export function matchSize(A: Float32Array, batch: Batch): void {
  let squares = 0;
  let n = 0;
  for (let i = 0; i < batch.B; i++) {
    for (let t = 0; t < batch.length[i]!; t++) squares += A[i * batch.T + t]! * A[i * batch.T + t]!;
    n += batch.length[i]!;
  }
  const rms = Math.sqrt(squares / n);
  if (rms > 0) for (let k = 0; k < A.length; k++) A[k]! /= rms;
}

/** The same batch with arrays of its own. */
export function copyBatch(batch: Batch): Batch {
  return Object.fromEntries(
    Object.entries(batch).map(([name, value]) => [name, typeof value === 'number' ? value : value.slice()]),
  ) as unknown as Batch;
}
