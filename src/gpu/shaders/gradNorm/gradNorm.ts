import { numbers, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** norms [S, 2] = ‖g‖ (−1 for a flagged replica), sum of norms so far; flags [S] become 4 where the norm is not finite and nothing was flagged before. */
export function gradNorm(
  S: number,
  size: number,
  gradient: Float32Array,
  norms: Float32Array,
  flags: Uint32Array,
): { norms: Float32Array; flags: Uint32Array } {
  const result = { norms: norms.slice(), flags: flags.slice() };
  for (let s = 0; s < S; s++) {
    let squares = 0;
    for (let k = 0; k < size; k++) squares += gradient[s * size + k]! * gradient[s * size + k]!;
    if (!Number.isFinite(squares) && flags[s] === 0) result.flags[s] = 4;
    result.norms[2 * s] = result.flags[s] === 0 ? Math.sqrt(squares) : -1;
    if (Number.isFinite(squares)) result.norms[2 * s + 1]! += Math.sqrt(squares);
  }
  return result;
}

const ordinary = [1, 3, 255, 256, 257, 1031].map((size, k): Case => {
  const S = 3;
  const gradient = numbers(k, S * size);
  const norms = Float32Array.of(9, 1, 9, 2, 9, 3);
  const flags = Uint32Array.of(0, 2, 0);
  return {
    name: `gradNorm of ${size} numbers`,
    kernel: kernels.gradNorm,
    dims: { size },
    groups: [1, 1, S],
    buffers: { gradient, norms, flags },
    expected: gradNorm(S, size, gradient, norms, flags),
    // a tree over 256 partial sums of 5 squares: 13 roundings
    tolerance: { abs: 0, rel: 2e-6 },
  };
});

/** NaN and infinity raise the flag; a flag that was there stays. */
const broken = [NaN, Infinity, -Infinity].map((x): Case => {
  const gradient = Float32Array.of(1, 2, x, 4, x, 6);
  return {
    name: `gradNorm with ${x}`,
    kernel: kernels.gradNorm,
    dims: { size: 2 },
    groups: [1, 1, 3],
    buffers: { gradient, norms: new Float32Array(6), flags: Uint32Array.of(0, 0, 1) },
    expected: gradNorm(3, 2, gradient, new Float32Array(6), Uint32Array.of(0, 0, 1)),
    tolerance: { abs: 0, rel: 1e-6 },
  };
});

export const cases: readonly Case[] = [...ordinary, ...broken];
