import { units } from '../../../accuracy.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** x divided by its largest size over the real steps of each replica, all 0 where that is at most `floor`; padding 0. */
export function scaleByLargest(
  S: number,
  B: number,
  T: number,
  floor: number,
  x: Float32Array,
  length: Uint32Array,
): Float32Array {
  const y = new Float32Array(S * B * T);
  for (let s = 0; s < S; s++) {
    const steps: number[] = [];
    for (let row = s * B; row < (s + 1) * B; row++) for (let t = 0; t < length[row]!; t++) steps.push(row * T + t);
    const largest = Math.max(0, ...steps.map((k) => Math.abs(x[k]!)));
    if (largest > floor) for (const k of steps) y[k] = x[k]! / largest;
  }
  return y;
}

export const cases: readonly Case[] = (
  [
    [1, 1, 1],
    [3, 5, 7],
    [2, 257, 3],
  ] as const
).flatMap(([S, B, T], seed) =>
  [0, 0.99].map((floor): Case => {
    const length = wholes(seed, S * B, T + 1);
    const x = numbers(seed + 3, S * B * T, -0.9, 0.9).map((v, k) => (k % T < length[Math.floor(k / T)]! ? v : 1e30));
    return {
      name: `scaleByLargest ${S}×${B}×${T}, floor ${floor}`,
      kernel: kernels.scaleByLargest,
      dims: { B, T, floor_: floor },
      groups: [1, 1, S],
      buffers: { x, length, y: untouched(S * B * T) },
      expected: { y: scaleByLargest(S, B, T, floor, x, length) },
      // one division
      tolerance: units(2.5),
    };
  }),
);
