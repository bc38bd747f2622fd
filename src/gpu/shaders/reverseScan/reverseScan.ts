import { numbers, untouched, wholes, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** x[t] = b[t] + a·x[t+1] from the last real step of each row back to the first; padding is 0. */
export function reverseScan(rows: number, cols: number, a: number, b: Float32Array, length: Uint32Array): Float32Array {
  const x = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) {
    let carry = 0;
    for (let t = length[row]! - 1; t >= 0; t--) {
      carry = b[row * cols + t]! + a * carry;
      x[row * cols + t] = carry;
    }
  }
  return x;
}

const shapes = [
  [1, 1],
  [3, 5],
  [63, 1],
  [64, 17],
  [65, 257],
] as const;

export const cases: readonly Case[] = shapes.map(([rows, cols], k): Case => {
  // some rows are empty, some full; padding is poisoned
  const length = wholes(k, rows, cols + 1);
  if (rows > 2) length[1] = cols;
  const b = numbers(k + 50, rows * cols).map((x, at) => (at % cols < length[Math.floor(at / cols)]! ? x : 1e30));
  return {
    name: `reverseScan ${rows}×${cols}`,
    kernel: kernels.reverseScan,
    dims: { rows, cols, a: 0.94 },
    groups: [Math.ceil(rows / 64)],
    buffers: { b, length, x: untouched(rows * cols) },
    expected: { x: reverseScan(rows, cols, Math.fround(0.94), b, length) },
    // a recurrence with factor 0.94 keeps about 17 roundings of numbers below 17
    tolerance: { abs: 2e-5, rel: 1e-5 },
  };
});
