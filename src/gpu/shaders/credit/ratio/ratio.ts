import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** x / y on real steps where y > 0, else 0. */
export function ratio(cols: number, x: Float32Array, y: Float32Array, length: Uint32Array): Float32Array {
  return x.map((value, k) => (k % cols < length[Math.floor(k / cols)]! && y[k]! > 0 ? value / y[k]! : 0));
}

export const cases: readonly Case[] = (
  [
    [1, 1],
    [5, 13],
    [64, 3],
    [65, 2],
  ] as const
).map(([rows, cols], seed): Case => {
  const length = wholes(seed, rows, cols + 1);
  const x = numbers(seed + 1, rows * cols);
  const y = numbers(seed + 2, rows * cols, 0.5, 4).map((v, k) => (k % 5 === 3 ? 0 : v));
  return {
    name: `ratio ${rows}×${cols}`,
    kernel: kernels.ratio,
    dims: { rows, cols },
    groups: [Math.ceil((rows * cols) / 64)],
    buffers: { x, y, length, z: untouched(rows * cols) },
    expected: { z: ratio(cols, x, y, length) },
    // one division, which WGSL allows 2.5 ulp
    tolerance: { abs: 0, rel: 4e-7 },
  };
});
