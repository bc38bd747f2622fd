import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** x of the next step of the row; 0 in its last step and on padding. */
export function following(cols: number, x: Float32Array, length: Uint32Array): Float32Array {
  return x.map((_, k) => ((k % cols) + 1 < length[Math.floor(k / cols)]! ? x[k + 1]! : 0));
}

export const cases: readonly Case[] = (
  [
    [1, 1],
    [5, 13],
    [64, 1],
    [65, 3],
  ] as const
).map(([rows, cols], seed): Case => {
  const length = wholes(seed, rows, cols + 1);
  const x = numbers(seed + 3, rows * cols).map((v, k) => (k % cols < length[Math.floor(k / cols)]! ? v : 1e30));
  return {
    name: `following ${rows}×${cols}`,
    kernel: kernels.following,
    dims: { rows, cols },
    groups: [Math.ceil((rows * cols) / 64)],
    buffers: { x, length, y: untouched(rows * cols) },
    expected: { y: following(cols, x, length) },
  };
});
