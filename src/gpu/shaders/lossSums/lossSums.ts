import { numbers, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** losses [S, 2] += Σ over steps of the first two of the six numbers of each step. */
export function lossSums(steps: number, stats: Float32Array, losses: Float32Array): Float32Array {
  return losses.map((before, k) => {
    let sum = before;
    for (let t = 0; t < steps; t++) sum += stats[((k >> 1) * steps + t) * 6 + (k & 1)]!;
    return sum;
  });
}

export const cases: readonly Case[] = [1, 63, 65, 257].map((steps, k): Case => {
  const S = 2;
  const stats = numbers(k, S * steps * 6);
  const losses = Float32Array.of(1, 2, 3, 4);
  return {
    name: `lossSums of ${steps} steps`,
    kernel: kernels.lossSums,
    dims: { steps },
    groups: [1, 1, S],
    buffers: { stats, losses },
    expected: { losses: lossSums(steps, stats, losses) },
    // sums of at most 258 numbers below 1
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
