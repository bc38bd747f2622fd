import { numbers, untouched, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';

/** dW[i,j] = Σ_r X[s,r,i]·dY[s,r,j], db[j] = Σ_r dY[s,r,j], written into gradient [S, size]; the rest is left alone. */
export function denseGradient(
  S: number,
  rows: number,
  inputs: number,
  out: number,
  X: Float32Array,
  dY: Float32Array,
  size: number,
  weightAt: number,
  biasAt: number,
  gradient: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let j = 0; j < out; j++) {
      for (let i = 0; i <= inputs; i++) {
        if (i === inputs && biasAt < 0) continue;
        let sum = 0;
        for (let r = 0; r < rows; r++)
          sum += (i === inputs ? 1 : X[(s * rows + r) * inputs + i]!) * dY[(s * rows + r) * out + j]!;
        gradient[s * size + (i === inputs ? biasAt + j : weightAt + i * out + j)] = sum;
      }
    }
  }
  return gradient;
}

const shapes = [
  [1, 1, 1, 1, 1],
  [3, 3, 5, 2, 1],
  [2, 65, 9, 63, 0],
  [1, 257, 33, 5, 1],
] as const;

export const cases: readonly Case[] = shapes.map(([S, rows, inputs, out, hasBias], k): Case => {
  const size = 4 + inputs * out + out + 1;
  const biasAt = hasBias ? 4 + inputs * out : -1;
  const X = numbers(k, S * rows * inputs);
  const dY = numbers(k + 50, S * rows * out);
  return {
    name: `denseGradient ${S}×${rows}×${inputs}→${out}`,
    kernel: kernels.denseGradient,
    dims: { rows, inputs, out, maxRows: rows, size, weightAt: 4, biasAt: Math.max(0, biasAt), hasBias },
    groups: [Math.ceil(((inputs + hasBias) * Math.ceil(out / 4)) / 64), 1, S],
    buffers: { X, dY, gradient: untouched(S * size) },
    expected: { gradient: denseGradient(S, rows, inputs, out, X, dY, size, 4, biasAt, untouched(S * size)) },
    // sums of at most 257 products below 1
    tolerance: { abs: 3e-5, rel: 1e-5 },
  };
});
