import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** z[row,t] = a·x + b·y on real steps, 0 on padding; a column with one number per row counts for all its steps. */
export function combine(
  rows: number,
  cols: number,
  xCols: number,
  yCols: number,
  a: number,
  b: number,
  x: Float32Array,
  y: Float32Array,
  length: Uint32Array,
): Float32Array {
  return Float32Array.from({ length: rows * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    const t = k % cols;
    if (t >= length[row]!) return 0;
    return a * x[row * xCols + (xCols === 1 ? 0 : t)]! + b * y[row * yCols + (yCols === 1 ? 0 : t)]!;
  });
}

const shapes = [
  [1, 1, 1, 1],
  [5, 13, 13, 1],
  [13, 5, 1, 5],
  [65, 3, 3, 3],
] as const;

export const cases: readonly Case[] = shapes.map(([rows, cols, xCols, yCols], k): Case => {
  const length = wholes(k, rows, cols + 1);
  const x = numbers(k + 10, rows * xCols);
  const y = numbers(k + 20, rows * yCols);
  return {
    name: `combine ${rows}×${cols} from ${xCols} and ${yCols} columns`,
    kernel: kernels.combine,
    dims: { rows, cols, xCols, yCols, a: 0.5, b: -2 },
    groups: [Math.ceil((rows * cols) / 64)],
    buffers: { x, y, length, z: untouched(rows * cols) },
    expected: { z: combine(rows, cols, xCols, yCols, 0.5, -2, x, y, length) },
    // factors are powers of two: one rounding of a number below 3
    tolerance: { abs: 3e-7, rel: 0 },
  };
});
