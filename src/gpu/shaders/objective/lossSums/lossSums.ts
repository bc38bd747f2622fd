import { numbers, summed, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** losses [S, 2] += Σ over steps of the first two of the six numbers of each step. */
export function lossSums(steps: number, stats: Float32Array, losses: Float32Array): Float32Array {
  return losses.map((before, k) => {
    let sum = before;
    for (let t = 0; t < steps; t++) sum += stats[((k >> 1) * steps + t) * 6 + (k & 1)]!;
    return sum;
  });
}

export const cases: readonly Case[] = (
  [
    [1, 1, 64],
    [9, 7, 64],
    [13, 5, 64],
    [257, 1, 64],
    [130, 3, 192],
    [300, 2, 128],
  ] as const
).map(([B, T, lanes], k): Case => {
  const S = 2;
  const stats = numbers(k, S * B * T * 6);
  const losses = Float32Array.of(1, 2, 3, 4);
  return {
    name: `lossSums of ${B}×${T} steps on ${lanes} lanes`,
    ...summed(kernels.lossSums, S, { B, T }, lanes),
    buffers: { stats, losses, parts: untouched(S * lanes * 2) },
    expected: { losses: lossSums(B * T, stats, losses) },
    // sums of at most 601 numbers below 1
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
