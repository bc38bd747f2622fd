import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** record [S, 16]: five sums over weights and gradients of each replica, see weightStats.wgsl. */
export function weightStats(
  S: number,
  size: number,
  theta: Float32Array,
  gradient: Float32Array,
  last: Float32Array,
  lastGradient: Float32Array,
  record: Float32Array,
): Float32Array {
  const result = record.slice();
  for (let s = 0; s < S; s++) {
    const sums = [0, 0, 0, 0, 0];
    for (let k = s * size; k < (s + 1) * size; k++) {
      const [g, old] = [gradient[k]!, lastGradient[k]!];
      [(theta[k]! - last[k]!) ** 2, theta[k]! ** 2, g * old, g * g, old * old].forEach((x, at) => (sums[at]! += x));
    }
    result.set(sums, 16 * s);
  }
  return result;
}

export const cases: readonly Case[] = [4, 252, 1020, 1024, 1028, 4124].map((size, k): Case => {
  const S = 3;
  const theta = numbers(k, S * size);
  const gradient = numbers(k + 1, S * size);
  const last = theta.map((x, at) => x + 0.01 * (at % 5));
  const lastGradient = numbers(k + 2, S * size);
  const record = untouched(S * 16);
  return {
    name: `weightStats of ${size} numbers`,
    kernel: kernels.weightStats,
    dims: { size },
    groups: [1, 1, S],
    buffers: { theta, gradient, last: last.slice(), lastGradient: lastGradient.slice(), record },
    expected: {
      last: theta,
      lastGradient: gradient,
      record: weightStats(S, size, theta, gradient, last, lastGradient, record),
    },
    // a tree over 256 partial sums of 20 products; a difference of neighbors
    tolerance: { abs: 2e-6, rel: 1e-5 },
  };
});
