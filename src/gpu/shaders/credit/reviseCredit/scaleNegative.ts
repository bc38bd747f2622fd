import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

type Dims = {
  readonly B: number;
  readonly T: number;
  readonly P: number;
  readonly base: number;
  readonly slope: number;
};

/** `credit` with the negative numbers of every group scaled by clamp(b₀ + b₁·mean R, 0, 1); what follows A stays. */
export function scaleNegative(
  { B, T, P, base, slope }: Dims,
  length: Uint32Array,
  taskIndex: Uint32Array,
  groups: Float32Array,
  credit: Float32Array,
): Float32Array {
  const next = credit.slice();
  taskIndex.forEach((task, row) => {
    const mean = groups[4 * (Math.floor(row / B) * P + task) + 1]!;
    const scale = Math.max(0, Math.min(1, base + slope * mean));
    for (let k = row * T; k < row * T + length[row]!; k++) if (next[k]! < 0) next[k]! *= scale;
  });
  return next;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1, 1],
    [3, 6, 5, 2],
    [2, 65, 2, 7],
  ] as const
).map(([S, B, T, P], seed): Case => {
  const dims: Dims = { B, T, P, base: 0.25, slope: 0.5 };
  const length = wholes(seed, S * B, T + 1);
  const taskIndex = wholes(seed + 1, S * B, P);
  // means from −2 to 2: some scales are cut at either end
  const groups = numbers(seed + 2, S * P * 4, -2, 2);
  const credit = Float32Array.of(...numbers(seed + 3, S * B * T), ...untouched(3));
  return {
    name: `scaleNegative ${S}×${B}×${T}`,
    kernel: kernels.scaleNegative,
    dims,
    groups: [Math.ceil((B * T) / 64), 1, S],
    buffers: { length, taskIndex, groups, credit },
    expected: { credit: scaleNegative(dims, length, taskIndex, groups, credit) },
    // three roundings of numbers below 2
    tolerance: { abs: 3e-7, rel: 3e-7 },
  };
});
