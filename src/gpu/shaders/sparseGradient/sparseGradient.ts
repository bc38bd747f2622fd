import { numbers, untouched, type Case } from '../../conformance.ts';
import { kernels } from '../kernels.ts';
import { bitsAt, randomBits, type BitRows } from '../sparseForward/sparseForward.ts';

/** dW[f,j] = Σ over rows with bit f of dY[s,r,j], db[j] = Σ_r dY[s,r,j], into gradient [S, size]. */
export function sparseGradient(
  S: number,
  rows: number,
  features: number,
  out: number,
  g: BitRows,
  bits: Uint32Array,
  dY: Float32Array,
  size: number,
  weightAt: number,
  biasAt: number,
  gradient: Float32Array,
): Float32Array {
  for (let s = 0; s < S; s++) {
    for (let j = 0; j < out; j++) {
      for (let f = 0; f <= features; f++) {
        if (f === features && biasAt < 0) continue;
        let sum = 0;
        for (let r = 0; r < rows; r++) {
          const isSet = f === features || ((bits[bitsAt(g, s, r) + (f >>> 5)]! >>> (f & 31)) & 1) === 1;
          if (isSet) sum += dY[(s * rows + r) * out + j]!;
        }
        gradient[s * size + (f === features ? biasAt + j : weightAt + f * out + j)] = sum;
      }
    }
  }
  return gradient;
}

const shapes = [
  [1, 1, 1, 1, 1, 1],
  [3, 5, 4, 31, 3, 1],
  [2, 7, 9, 33, 17, 0],
  [1, 20, 13, 65, 4, 1],
] as const;

export const cases: readonly Case[] = shapes.map(([S, B, T, features, out, hasBias], k): Case => {
  const words = Math.ceil(features / 32);
  const g: BitRows = { B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 };
  const rows = B * T;
  const size = features * out + out + 3;
  const biasAt = hasBias ? features * out + 1 : -1;
  const bits = randomBits(k, S * B * (T + 1), features);
  const dY = numbers(k + 50, S * rows * out);
  const { base: _base, ...geometry } = g;
  return {
    name: `sparseGradient ${S}×${B}×${T}, ${features}→${out}`,
    kernel: kernels.sparseGradient,
    dims: {
      rows,
      out,
      words,
      ...geometry,
      features,
      size,
      weightAt: 1,
      biasAt: Math.max(0, biasAt),
      hasBias,
      maxRows: rows,
    },
    groups: [Math.ceil(((features + hasBias) * out) / 64), 1, S],
    buffers: { bits, dY, gradient: untouched(S * size) },
    expected: { gradient: sparseGradient(S, rows, features, out, g, bits, dY, size, 1, biasAt, untouched(S * size)) },
    // sums of at most 260 numbers below 1
    tolerance: { abs: 3e-5, rel: 1e-5 },
  };
});
