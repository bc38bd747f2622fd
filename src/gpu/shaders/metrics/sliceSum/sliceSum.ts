import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

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

export const cases: readonly Case[] = shapes.map(([S, slices, size], seed): Case => {
  const partials = numbers(seed, S * slices * size);
  return {
    name: `sliceSum ${S}×${slices}×${size}`,
    kernel: kernels.sliceSum,
    dims: { size, slices },
    groups: [Math.ceil(size / 256), 1, S],
    buffers: { partials, gradient: untouched(S * size) },
    expected: { gradient: sliceSum(S, slices, size, partials) },
  };
});
