import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** Mean of |x − y| over the real steps of each replica. */
export function meanDistance(
  S: number,
  B: number,
  T: number,
  x: Float32Array,
  y: Float32Array,
  length: Uint32Array,
): number[] {
  return Array.from({ length: S }, (_, s) => {
    let sum = 0;
    let steps = 0;
    for (let row = s * B; row < (s + 1) * B; row++) {
      for (let k = row * T; k < row * T + length[row]!; k++, steps++) sum += Math.abs(x[k]! - y[k]!);
    }
    return sum / steps;
  });
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [3, 5, 4],
    [2, 65, 7],
  ] as const
).map(([S, B, T], k): Case => {
  const [x, y] = [numbers(k, S * B * T), numbers(k + 1, S * B * T)];
  const length = wholes(k + 2, S * B, T).map((n) => n + 1);
  const record = untouched(16 * S);
  meanDistance(S, B, T, x, y, length).forEach((d, s) => (record[16 * s + 2] = d));
  return {
    name: `meanDistance ${S}×${B}×${T}`,
    kernel: kernels.meanDistance,
    dims: { B, T, at: 2 },
    groups: [1, 1, S],
    buffers: { x, y, length, record: untouched(16 * S) },
    expected: { record },
    // a mean of numbers below 2, 455 at most
    tolerance: { abs: 2e-6, rel: 1e-6 },
  };
});
