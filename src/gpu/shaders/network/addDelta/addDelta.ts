import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { processKernels } from '../../processKernels.ts';

/** logp + Δ on real steps, 0 on padding; Δ is the fifth of six numbers per step. */
export function addDelta(cols: number, logp: Float32Array, stats: Float32Array, length: Uint32Array): Float32Array {
  return logp.map((l, k) => (k % cols < length[Math.floor(k / cols)]! ? l + stats[6 * k + 4]! : 0));
}

export const cases: readonly Case[] = (
  [
    [1, 1],
    [5, 13],
    [65, 2],
  ] as const
).map(([rows, cols], seed): Case => {
  const length = wholes(seed, rows, cols + 1);
  const logp = numbers(seed + 1, rows * cols, -3, 0);
  const stats = numbers(seed + 2, rows * cols * 6);
  return {
    name: `addDelta ${rows}×${cols}`,
    kernel: processKernels.addDelta,
    dims: { rows, cols },
    groups: [Math.ceil((rows * cols) / 64)],
    buffers: { logp, stats, length, y: untouched(rows * cols) },
    expected: { y: addDelta(cols, logp, stats, length) },
    // one rounding of a number below 4
    tolerance: { abs: 3e-7, rel: 0 },
  };
});
