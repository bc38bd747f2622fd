import { numbers, untouched, type Case } from '../../../conformance.ts';
import listedBits from '../sparseForward/listedBits.wgsl?raw';
import { wordsOfRows } from '../../../../core/slices.ts';
import { bitGradient } from '../../../bitProducts.ts';
import { listOf, liveSteps, planOf } from '../../rollout/liveSteps/liveSteps.ts';
import { naive } from '../../naive.ts';
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

const plain: readonly Case[] = shapes.map(([S, B, T, features, out, hasBias], k): Case => {
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
    kernel: naive.sparseGradient,
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

/** form, S, B, T, features, out, slices, bias */
const products = [
  ['any', 1, 1, 1, 1, 1, 1, true],
  ['any', 3, 5, 13, 31, 3, 4, false],
  ['any', 2, 7, 9, 65, 17, 3, true],
  ['wide', 1, 1, 1, 1, 4, 1, true],
  ['wide', 3, 5, 13, 33, 12, 4, true],
  ['wide', 2, 3, 1, 65, 8, 5, false],
  ['wide', 1, 257, 1, 63, 20, 7, true],
  ['tiled', 1, 1, 1, 1, 4, 1, true],
  ['tiled', 2, 3, 1, 65, 12, 5, false],
  ['tiled', 1, 257, 1, 150, 72, 7, true],
] as const;

const inSlices = products.flatMap(([form, S, B, T, features, out, slices, hasBias], k): Case[] =>
  [false, true].map((listed): Case => {
    const words = Math.ceil(features / 32);
    const rows = B * T;
    const up = (x: number): number => 4 * Math.ceil(x / 4);
    const biasAt = hasBias ? 4 + up(features * out) : -1;
    const size = 8 + up(features * out) + up(out);
    const bits = randomBits(k, S * B * (T + 1), features);
    const dY = numbers(k + 50, S * rows * out);
    const partials = untouched(S * slices * size);
    const plan = planOf(k, { S, B, T });
    const all = Float32Array.from(plan, (_, at) => (at % 2 === 0 ? 1 : T));
    const steps = liveSteps({ S, B, T }, listed ? plan : all, false);
    for (let s = 0; s < S; s++) {
      const own = steps[s]!;
      const stretch = Math.ceil(own.length / slices);
      for (let i = 0; i < slices; i++) {
        const from = Math.min(own.length, i * stretch);
        const to = Math.min(own.length, from + stretch);
        const at = (s * slices + i) * size;
        // the rows of a slice, each with its bits in its own place
        const words1 = new Uint32Array((to - from) * words);
        for (let r = from; r < to; r++) {
          const start = (s * B * (T + 1) + own[r]!) * words;
          words1.set(bits.subarray(start, start + words), (r - from) * words);
        }
        const g1: BitRows = { B: to - from, inner: 1, outerStride: words, innerStride: 0, base: 0 };
        const part = dY.slice((s * rows + from) * out, (s * rows + to) * out);
        const rest = partials.subarray(at, at + size);
        sparseGradient(1, to - from, features, out, g1, words1, part, size, 4, biasAt, rest);
      }
    }
    const stride = wordsOfRows(B, T);
    const layer = { S, rows, maxRows: rows, inputs: features, out, size, weightAt: 4, biasAt };
    const g = { words, B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 };
    const list = listOf({ S, B, T }, plan, false, new Uint32Array(S * stride));
    const live = { which: 0, stride, bits: listedBits };
    return {
      name: `sparseGradient ${form}, ${S}×${B}×${T}, ${features}→${out} in ${slices} slices${listed ? ', listed' : ''}`,
      ...bitGradient(listed ? { ...layer, live } : layer, g, form, slices),
      buffers: { bits, dY, partials: untouched(S * slices * size), ...(listed ? { rows: list } : {}) },
      expected: { partials },
      // sums of at most 37 numbers below 1
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);

export const cases: readonly Case[] = [...plain, ...inSlices];
