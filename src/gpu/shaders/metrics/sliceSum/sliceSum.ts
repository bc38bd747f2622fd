import { numbers, untouched, type Case } from '../../../conformance.ts';
import { sliceSumWith } from '../../../norm.ts';
import { keepsSumsOf } from '../../../normSums.ts';

/** gradient[s,k] = Σ_i partials[s,i,k] in order, rounded to f32 at every step as the kernel does. */
export function sliceSum(S: number, slices: number, size: number, partials: Float32Array): Float32Array {
  const gradient = new Float32Array(S * size);
  for (let s = 0; s < S; s++)
    for (let i = 0; i < slices; i++)
      for (let k = 0; k < size; k++) gradient[s * size + k]! += partials[(s * slices + i) * size + k]!;
  return gradient;
}

const shapes = [
  [1, 1, 4],
  [3, 5, 64],
  [2, 16, 260],
] as const;

const alone = shapes.map(([S, slices, size], seed): Case => {
  const partials = numbers(seed, S * slices * size);
  return {
    name: `sliceSum ${S}×${slices}×${size}`,
    kernel: sliceSumWith(),
    dims: { size, slices, steps: 0 },
    groups: [Math.ceil(size / 256), 1, S],
    buffers: { partials, gradient: untouched(S * size) },
    expected: { gradient: sliceSum(S, slices, size, partials) },
  };
});

/** sums[s,p] of 256 numbers each of the gradient: Σg², and of every so many-th 64 steps both losses; 64 where the replica is flagged. */
export function normSums(
  [S, size, steps]: readonly [number, number, number],
  gradient: Float32Array,
  stats: Float32Array,
  flags: Uint32Array,
): Float32Array {
  const groups = Math.ceil(size / 256);
  const sums = new Float32Array(4 * S * groups);
  for (let s = 0; s < S; s++) {
    for (let k = 0; k < size; k++) sums[4 * (s * groups + (k >> 8))]! += gradient[s * size + k]! ** 2;
    for (let t = 0; t < steps; t++)
      for (const loss of [0, 1])
        sums[4 * (s * groups + ((t >> 6) % groups)) + 1 + loss]! += stats[6 * (s * steps + t) + loss]!;
    for (let p = 0; p < groups; p++) sums[4 * (s * groups + p) + 3] = flags[s] === 0 ? 0 : 64;
  }
  return sums;
}

const withSums = (
  [
    [3, 5, 4, 1],
    [2, 1, 256, 63],
    [3, 2, 516, 300],
    [2, 4, 1020, 64],
  ] as const
).map(([S, slices, size, steps], seed): Case => {
  const partials = numbers(seed + 9, S * slices * size);
  const stats = numbers(seed + 19, S * steps * 6);
  const flags = Uint32Array.from({ length: S }, (_, s) => (s === 1 ? 3 : 0));
  const gradient = sliceSum(S, slices, size, partials);
  return {
    name: `sliceSum ${S}×${slices}×${size} with what a step of ${steps} rows wants to know`,
    kernel: sliceSumWith(keepsSumsOf(64)),
    dims: { size, slices, steps },
    groups: [Math.ceil(size / 256), 1, S],
    buffers: { partials, stats, flags, gradient: untouched(S * size), sums: untouched(4 * S * Math.ceil(size / 256)) },
    expected: { gradient, sums: normSums([S, size, steps], gradient, stats, flags) },
    // 256 squares below 16, one after the other in f32, against a tree
    tolerance: { abs: 2e-5, rel: 2e-5 },
  };
});

export const cases: readonly Case[] = [...alone, ...withSums];
