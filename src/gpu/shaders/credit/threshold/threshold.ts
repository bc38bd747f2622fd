import { numbers, untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';

/** 1 where |x| ≥ least, else 0. */
export function threshold(least: number, x: Float32Array): Float32Array {
  return x.map((value) => (Math.abs(value) >= least ? 1 : 0));
}

export const cases: readonly Case[] = [1, 64, 65].map((rows): Case => {
  // halves of powers of two are exact, so equality is met
  const x = numbers(rows, rows).map((v, k) => (k % 3 === 0 ? (k % 2 === 0 ? 0.5 : -0.5) : v));
  return {
    name: `threshold of ${rows}`,
    kernel: kernels.threshold,
    dims: { rows, least: 0.5 },
    groups: [Math.ceil(rows / 64)],
    buffers: { x, y: untouched(rows) },
    expected: { y: threshold(0.5, x) },
  };
});
