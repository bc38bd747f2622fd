import { numbers, untouched, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** Y[s,r,j] = b[j] + Σ_i X[s,r,i]·W[i,j].  X [S, maxRows, in]  theta [S, size]  Y [S, maxRows, out] */
export function denseForward(
  S: number,
  rows: number,
  maxRows: number,
  inputs: number,
  out: number,
  X: Float32Array,
  theta: Float32Array,
  size: number,
  weightAt: number,
  biasAt: number,
  Y: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let r = 0; r < rows; r++) {
      for (let j = 0; j < out; j++) {
        let sum = biasAt < 0 ? 0 : theta[s * size + biasAt + j]!;
        for (let i = 0; i < inputs; i++)
          sum += X[(s * maxRows + r) * inputs + i]! * theta[s * size + weightAt + i * out + j]!;
        Y[(s * maxRows + r) * out + j] = sum;
      }
    }
  }
  return Y;
}

const shapes = [
  [1, 1, 1, 1],
  [1, 3, 5, 2],
  [3, 63, 7, 4],
  [2, 65, 33, 65],
  [1, 257, 64, 5],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, rows, inputs, out], k) =>
  [true, false].map((hasBias): Case => {
    const maxRows = rows + 2;
    const size = 3 + inputs * out + out;
    const X = numbers(k, S * maxRows * inputs);
    const theta = numbers(k + 50, S * size);
    const biasAt = hasBias ? 3 + inputs * out : -1;
    const blocks = Math.ceil(rows / 4) * Math.ceil(out / 4);
    return {
      name: `denseForward ${S}×${rows}×${inputs}→${out}${hasBias ? '' : ' without bias'}`,
      kernel: kernels.denseForward,
      dims: { rows, inputs, out, maxRows, size, weightAt: 3, biasAt: Math.max(0, biasAt), hasBias: hasBias ? 1 : 0 },
      groups: [Math.ceil(blocks / 64), 1, S],
      buffers: { X, theta, Y: untouched(S * maxRows * out) },
      expected: {
        Y: denseForward(S, rows, maxRows, inputs, out, X, theta, size, 3, biasAt, untouched(S * maxRows * out)),
      },
      // sums of at most 65 products below 1: 65 roundings of 6e-8
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);
