import { numbers, untouched, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** dX[s,r,i] = Σ_j dY[s,r,j]·W[i,j].  dY [S, maxRows, out]  dX [S, maxRows, in] */
export function denseBackward(
  S: number,
  rows: number,
  maxRows: number,
  inputs: number,
  out: number,
  dY: Float32Array,
  theta: Float32Array,
  size: number,
  weightAt: number,
  dX: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < inputs; i++) {
        let sum = 0;
        for (let j = 0; j < out; j++)
          sum += dY[(s * maxRows + r) * out + j]! * theta[s * size + weightAt + i * out + j]!;
        dX[(s * maxRows + r) * inputs + i] = sum;
      }
    }
  }
  return dX;
}

const shapes = [
  [1, 1, 1, 1],
  [3, 3, 5, 2],
  [2, 65, 9, 63],
  [1, 257, 33, 4],
] as const;

export const cases: readonly Case[] = shapes.map(([S, rows, inputs, out], k): Case => {
  const maxRows = rows + 1;
  const size = 5 + inputs * out;
  const dY = numbers(k, S * maxRows * out);
  const theta = numbers(k + 50, S * size);
  return {
    name: `denseBackward ${S}×${rows}×${inputs}→${out}`,
    kernel: kernels.denseBackward,
    dims: { rows, inputs, out, maxRows, size, weightAt: 5 },
    groups: [Math.ceil((Math.ceil(rows / 4) * inputs) / 64), 1, S],
    buffers: { dY, theta, dX: untouched(S * maxRows * inputs) },
    expected: { dX: denseBackward(S, rows, maxRows, inputs, out, dY, theta, size, 5, untouched(S * maxRows * inputs)) },
    // sums of at most 63 products below 1
    tolerance: { abs: 1e-5, rel: 1e-5 },
  };
});
