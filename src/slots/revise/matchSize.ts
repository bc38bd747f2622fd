import { defineRevision } from './types.ts';

/** A ← A / RMS(A) over the real steps; unchanged when all are 0. */
export const matchSize = defineRevision({
  id: 'matchSize',
  title: 'Match update size',
  rev: 1,
  needs: ['length'],
  formula: 'A ← A / RMS(A)',
  look: 'Divide credit by its RMS over the batch, so that methods take equal steps.',
  caption: 'divides all credit by its root mean square (“Match update size”)',
  params: {},
  onlyScales: true,
  run(A, { batch: { B, T, length } }) {
    let squares = 0;
    let n = 0;
    for (let i = 0; i < B; i++) {
      for (let t = 0; t < length[i]!; t++) squares += A[i * T + t]! * A[i * T + t]!;
      n += length[i]!;
    }
    const rms = Math.sqrt(squares / n);
    if (rms > 0) for (let k = 0; k < A.length; k++) A[k]! /= rms;
  },
  gpu: (ops) => ops.toUnitSize(),
});
