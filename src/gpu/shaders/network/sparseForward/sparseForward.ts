import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import listedBits from './listedBits.wgsl?raw';
import { wordsOfRows } from '../../../../core/slices.ts';
import { bitForward } from '../../../bitProducts.ts';
import { listOf, packed, planOf } from '../../rollout/liveSteps/liveSteps.ts';
import { keepsZ } from '../../../products.ts';
import { activation } from '../activation/activation.ts';
import { naive } from '../../naive.ts';

/** Where row r of replica s has its bits. */
export type BitRows = { B: number; inner: number; outerStride: number; innerStride: number; base: number };
export const bitsAt = (g: BitRows, s: number, r: number): number =>
  (s * g.B + Math.floor(r / g.inner)) * g.outerStride + (r % g.inner) * g.innerStride + g.base;

/** Y[s,r,j] = b[j] + Σ over the set bits f of row r of W[f,j]. */
export function sparseForward(
  S: number,
  rows: number,
  maxRows: number,
  features: number,
  out: number,
  g: BitRows,
  bits: Uint32Array,
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
        for (let f = 0; f < features; f++) {
          if (((bits[bitsAt(g, s, r) + (f >>> 5)]! >>> (f & 31)) & 1) === 1)
            sum += theta[s * size + weightAt + f * out + j]!;
        }
        Y[(s * maxRows + r) * out + j] = sum;
      }
    }
  }
  return Y;
}

/** Random observation bits; bits beyond the last feature stay 0, as environments write them. */
export function randomBits(seed: number, count: number, features: number): Uint32Array {
  const words = Math.ceil(features / 32);
  const bits = new Uint32Array(count * words);
  const draws = wholes(seed, count * features, 5);
  for (let n = 0; n < count; n++)
    for (let f = 0; f < features; f++) if (draws[n * features + f] === 0) bits[n * words + (f >>> 5)]! |= 1 << (f & 31);
  return bits;
}

const shapes = [
  [1, 1, 1, 1, 1],
  [3, 5, 4, 31, 3],
  [2, 7, 9, 33, 65],
  [1, 65, 3, 257, 4],
] as const;

const plain: readonly Case[] = shapes.flatMap(([S, B, T, features, out], k) =>
  [true, false].map((isAll): Case => {
    const words = Math.ceil(features / 32);
    const g: BitRows = isAll
      ? { B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 }
      : { B, inner: 1, outerStride: (T + 1) * words, innerStride: 0, base: (T - 1) * words };
    const rows = isAll ? B * T : B;
    const maxRows = B * T;
    const size = features * out + out + 2;
    const bits = randomBits(k, S * B * (T + 1), features);
    const theta = numbers(k + 50, S * size);
    const biasAt = isAll ? features * out + 2 : -1;
    const dims = {
      rows,
      out,
      words,
      ...g,
      size,
      weightAt: 2,
      biasAt: Math.max(0, biasAt),
      hasBias: isAll ? 1 : 0,
      maxRows,
    };
    return {
      name: `sparseForward ${S}×${B}×${T}, ${features}→${out}, ${isAll ? 'all steps' : 'one step'}`,
      kernel: naive.sparseForward,
      dims,
      groups: [Math.ceil((rows * out) / 64), 1, S],
      buffers: { bits, theta, Y: untouched(S * maxRows * out) },
      expected: {
        Y: sparseForward(
          S,
          rows,
          maxRows,
          features,
          out,
          g,
          bits,
          theta,
          size,
          2,
          biasAt,
          untouched(S * maxRows * out),
        ),
      },
      // sums of at most about 60 numbers below 1
      tolerance: { abs: 1e-5, rel: 1e-5 },
    };
  }),
);

/** form, activation, S, B, T, features, out, bias */
const products = [
  ['any', 'none', 1, 1, 1, 1, 1, true],
  ['any', 'tanh', 3, 5, 4, 31, 3, false],
  ['any', 'gelu', 2, 7, 9, 33, 65, true],
  ['wide', 'none', 1, 1, 1, 1, 4, true],
  ['wide', 'relu', 3, 65, 1, 65, 12, true],
  ['wide', 'gelu', 2, 7, 9, 257, 20, false],
  ['fine', 'none', 1, 1, 1, 1, 4, true],
  ['fine', 'gelu', 3, 65, 1, 65, 12, true],
  ['fine', 'relu', 2, 7, 9, 257, 20, false],
] as const;

const withActivation = products.flatMap(([form, act, S, B, T, features, out, hasBias], k): Case[] => {
  const words = Math.ceil(features / 32);
  const g: BitRows = { B, inner: T, outerStride: (T + 1) * words, innerStride: words, base: 0 };
  const [rows, maxRows] = [B * T, B * T + 1];
  const up = (x: number): number => 4 * Math.ceil(x / 4);
  const biasAt = hasBias ? 4 + up(features * out) : -1;
  const size = 8 + up(features * out) + up(out);
  const bits = randomBits(k, S * B * (T + 1), features);
  const theta = numbers(k + 50, S * size);
  const blank = (): Float32Array => untouched(S * maxRows * out);
  const Z = sparseForward(S, rows, maxRows, features, out, g, bits, theta, size, 4, biasAt, blank());
  const isReal = (at: number): boolean => Math.floor(at / out) % maxRows < rows;
  const kind = { tanh: 0, relu: 1, gelu: 2, none: 3 }[act];
  const H = Z.map((z, at) => (act === 'none' || !isReal(at) ? z : activation(kind, z)));
  const layer = { S, rows, maxRows, inputs: features, out, size, weightAt: 4, biasAt };
  const every = {
    name: `sparseForward ${form}, ${act}, ${S}×${B}×${T}, ${features}→${out}`,
    ...bitForward(layer, { ...g, words }, form, act, keepsZ(act)),
    buffers: { bits, theta, Y: blank(), ...(keepsZ(act) ? { Z: blank() } : {}) },
    expected: { Y: H, ...(keepsZ(act) ? { Z } : {}) },
    // sums of at most about 60 numbers below 1; tanh to 1e-5, which gelu multiplies by |z| of a few
    tolerance: { abs: 5e-5, rel: 2e-5 },
  };
  // the rows of a list, one after the other
  const plan = planOf(k, { S, B, T });
  const list = listOf({ S, B, T }, plan, false, new Uint32Array(S * wordsOfRows(B, T)));
  const pack = (Y: Float32Array): Float32Array => {
    const real = new Float32Array(S * rows * out);
    const to = untouched(Y.length);
    for (let s = 0; s < S; s++) real.set(Y.subarray(s * maxRows * out, (s * maxRows + rows) * out), s * rows * out);
    const dense = packed({ S, B, T }, plan, false, real);
    for (let s = 0; s < S; s++) to.set(dense.subarray(s * rows * out, (s + 1) * rows * out), s * maxRows * out);
    return to;
  };
  const live = { which: 0, stride: wordsOfRows(B, T), bits: listedBits };
  const listed = {
    ...every,
    name: `${every.name}, listed`,
    ...bitForward({ ...layer, live }, { ...g, words }, form, act, keepsZ(act)),
    buffers: { ...every.buffers, rows: list },
    expected: { Y: pack(H), ...(keepsZ(act) ? { Z: pack(Z) } : {}) },
  };
  return [every, listed];
});

export const cases: readonly Case[] = [...plain, ...withActivation];
