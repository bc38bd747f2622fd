import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** z[row,t] = a·x + b·y + c·x·y on real steps, 0 on padding; a column with one number per row counts for all its steps. */
export function combine(
  rows: number,
  cols: number,
  xCols: number,
  yCols: number,
  { a, b, c }: { a: number; b: number; c: number },
  x: Float32Array,
  y: Float32Array,
  length: Uint32Array,
): Float32Array {
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    const t = k % cols;
    if (t >= length[row]!) return 0;
    const [u, v] = [x[row * xCols + (xCols === 1 ? 0 : t)]!, y[row * yCols + (yCols === 1 ? 0 : t)]!];
    return a * u + b * v + c * u * v;
  });
}

const shapes = [
  [1, 1, 1, 1],
  [5, 13, 13, 1],
  [13, 5, 1, 5],
  [65, 3, 3, 3],
] as const;

const weights = [
  { a: 0.5, b: -2, c: 0 },
  { a: 0.5, b: -2, c: 4 },
] as const;

export const cases: readonly Case[] = weights.flatMap((w) =>
  shapes.map(([rows, cols, xCols, yCols], k): Case => {
    const length = wholes(k, rows, cols + 1);
    const x = numbers(k + 10, rows * xCols);
    const y = numbers(k + 20, rows * yCols);
    return {
      name: `combine ${rows}×${cols} from ${xCols} and ${yCols} columns${w.c === 0 ? '' : ' with their product'}`,
      kernel: kernels.combine,
      dims: { rows, cols, xCols, yCols, ...w },
      groups: [Math.ceil((rows * cols) / 64)],
      buffers: { x, y, length, z: untouched(rows * cols) },
      expected: { z: combine(rows, cols, xCols, yCols, w, x, y, length) },
      // factors are powers of two: one rounding of a number below 3, and two more of a product below 4
      tolerance: { abs: w.c === 0 ? 3e-7 : 1e-6, rel: 0 },
    };
  }),
);
