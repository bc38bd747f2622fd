import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** The functions by the number under which the kernel knows them. */
const FUNCTIONS = [Math.abs, Math.exp, Math.log, (u: number): number => 1 / (1 + Math.exp(-u))] as const;

/** f(a·x + b) on real steps, 0 on padding; with one column every row is real. */
export function mapValues(
  cols: number,
  { f, a, b }: { f: number; a: number; b: number },
  x: Float32Array,
  length: Uint32Array,
): Float32Array {
  return x.map((value, k) =>
    cols > 1 && k % cols >= length[Math.floor(k / cols)]! ? 0 : FUNCTIONS[f]!(a * value + b),
  );
}

export const cases: readonly Case[] = (
  [
    [1, 1],
    [65, 1],
    [5, 13],
    [64, 2],
    [65, 3],
  ] as const
).flatMap(([rows, cols], seed) =>
  [0, 1, 2, 3].map((f): Case => {
    const length = wholes(seed, rows, cols + 1);
    // logarithms of numbers above 0; large arguments, where the last function is 0 or 1
    const [a, b] = f === 2 ? [0.25, 1.5] : f === 3 ? [200, 0.5] : [-2, 0.5];
    const x = numbers(seed + 3, rows * cols, -1, 1);
    x.forEach((_, k) => void (cols > 1 && k % cols >= length[Math.floor(k / cols)]! && (x[k] = 1e30)));
    return {
      name: `mapValues ${rows}×${cols}, function ${f}`,
      kernel: kernels.mapValues,
      dims: { rows, cols, f, a, b },
      groups: [Math.ceil((rows * cols) / 64)],
      buffers: { x, length, y: untouched(rows * cols) },
      expected: { y: mapValues(cols, { f, a, b }, x, length) },
      // arguments below 3 (200 where the slope is below ¼) with one rounding; exp and log of WGSL to some units of the last place
      tolerance: { abs: 1e-5, rel: 3e-6 },
    };
  }),
);
