import { softMin } from '../../../critic.ts';
import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { tokenKernels } from '../../tokenKernels.ts';
import { addSlices, eachLive, groupsFor, outputOf, valuesOf, worlds, type TokenWorld } from '../../tokenWorld.ts';

type Sizes = {
  slots: number;
  n: number;
  D: number;
  vocabulary: number;
  size: number;
  wordsAt: number;
  biasAt: number;
  valueAt: number;
  valueBiasAt: number;
  scale: number;
};

/** Prefix, place of the word's vector and bias, and factor of output c. */
function output(w: TokenWorld, d: Sizes, grammar: Uint32Array, c: number) {
  const h = c - d.slots;
  if (h >= 0) return { node: 0, vector: d.valueAt + h * d.D, bias: d.valueBiasAt + h, scale: 1 };
  const slot = 5 * (w.J + c);
  const token = grammar[slot + 1]!;
  return { node: grammar[slot]!, vector: d.wordsAt + token * d.D, bias: d.biasAt + token, scale: d.scale };
}

/** out = scale · N[prefix]·words[token] + bias, values last. */
export function tokenHead(w: TokenWorld, d: Sizes, grammar: Uint32Array, N: Float32Array, theta: Float32Array) {
  const out = outputOf(w, 0, d.n);
  eachLive(w, 0, (s, _r, row) => {
    for (let c = 0; c < d.n; c++) {
      const { node, vector, bias, scale } = output(w, d, grammar, c);
      let dot = 0;
      for (let j = 0; j < d.D; j++) dot += N[(row * w.J + node) * d.D + j]! * theta[s * d.size + vector + j]!;
      out[row * d.n + c] = scale * dot + theta[s * d.size + bias]!;
    }
  });
  return out;
}

/** ∂ of N from ∂ of the outputs. */
export function tokenHeadBackward(
  w: TokenWorld,
  d: Sizes,
  grammar: Uint32Array,
  dOut: Float32Array,
  theta: Float32Array,
): Float32Array {
  const dN = outputOf(w, 2, d.D);
  eachLive(w, 0, (s, _r, row) => {
    const sums = new Float64Array(w.J * d.D);
    for (let c = 0; c < d.n; c++) {
      const { node, vector, scale } = output(w, d, grammar, c);
      for (let j = 0; j < d.D; j++)
        sums[node * d.D + j]! += scale * dOut[row * d.n + c]! * theta[s * d.size + vector + j]!;
    }
    dN.set(sums, row * w.J * d.D);
  });
  return dN;
}

/** Gradients of vectors and biases of words, and of the value's. */
export function tokenHeadGradient(
  w: TokenWorld,
  d: Sizes,
  grammar: Uint32Array,
  slices: number,
  N: Float32Array,
  dOut: Float32Array,
  partials: Float32Array,
): Float32Array {
  return addSlices(w, 0, slices, d.size, partials, (s, from, to, add) => {
    for (let r = from; r < to; r++) {
      const row = s * w.R + r;
      for (let c = 0; c < d.n; c++) {
        const { node, vector, bias, scale } = output(w, d, grammar, c);
        const g = dOut[row * d.n + c]!;
        add(bias, g);
        for (let j = 0; j < d.D; j++) add(vector + j, scale * g * N[(row * w.J + node) * d.D + j]!);
      }
    }
  });
}

/** y of the trajectory that the row's step belongs to = last output of the row, or the soft minimum of the last two. */
export function lastValue(
  w: TokenWorld,
  n: number,
  values: number,
  B: number,
  T: number,
  out: Float32Array,
): Float32Array {
  const y = untouched(w.S * B);
  eachLive(w, 0, (s, r, row) => {
    const step = w.rows[s * w.stride + 4 + w.R + r]!;
    const end = (row + 1) * n;
    y[s * B + Math.floor(step / T)] = values === 2 ? softMin(out[end - 2]!, out[end - 1]!) : out[end - 1]!;
  });
  return y;
}

/** Slots of random words, some prefixes with none, the second with all but <pad>; every prefix's slots lie together. */
function grammarOf(w: TokenWorld, seed: number): { grammar: Uint32Array; slots: number } {
  const counts = wholes(seed, w.J, 4).map((x, j) => (j === 0 ? 2 + x : j === 1 ? w.vocabulary - 1 : x));
  const slots = counts.reduce((a, b) => a + b, 0);
  const grammar = new Uint32Array(5 * (w.J + slots)).fill(0xffff_ffff);
  const words = wholes(seed + 1, slots, w.vocabulary);
  let first = 0;
  counts.forEach((count, j) => {
    grammar.set([first, count], 5 * j + 3);
    for (let c = first; c < first + count; c++) {
      grammar.set([j, j === 1 ? c - first + 1 : words[c]!], 5 * (w.J + c));
    }
    first += count;
  });
  return { grammar, slots };
}

export const cases: readonly Case[] = worlds.flatMap((w, seed): Case[] => {
  const D = [1, 5, 20][seed]!;
  const slices = [1, 3, 2][seed]!;
  const { grammar, slots } = grammarOf(w, seed);
  const { vocabulary, rows, stride, R, J } = w;
  const wordsAt = 2;
  const biasAt = wordsAt + vocabulary * D;
  const valueAt = biasAt + vocabulary;
  const values = seed === 1 ? 0 : seed === 2 ? 2 : 1;
  const valueBiasAt = valueAt + 2 * D;
  const n = slots + values;
  const size = valueBiasAt + 3;
  const d: Sizes = { slots, n, D, vocabulary, size, wordsAt, biasAt, valueAt, valueBiasAt, scale: 0.7 };
  const N = valuesOf(w, 2, D, seed);
  const theta = numbers(seed + 1, w.S * size);
  const dOut = valuesOf(w, 0, n, seed + 2);
  const partials = numbers(seed + 3, w.S * slices * size);
  const common = { stride, R, J, slots, n, D, size, wordsAt, valueAt, scale: 0.7 };
  const [B, T] = [R + 3, 3];
  // sums of at most 20 products below 1
  const tolerance = { abs: 5e-6, rel: 5e-6 };
  return [
    {
      name: `tokenHead, world ${seed}`,
      kernel: tokenKernels.tokenHead,
      dims: { ...common, biasAt, valueBiasAt },
      groups: groupsFor(w, 0, n),
      buffers: { rows, N, theta, grammar, out: outputOf(w, 0, n) },
      expected: { out: tokenHead(w, d, grammar, N, theta) },
      tolerance,
    },
    {
      name: `tokenHeadBackward, world ${seed}`,
      kernel: tokenKernels.tokenHeadBackward,
      dims: common,
      groups: groupsFor(w, 2, D),
      buffers: { rows, dOut, theta, grammar, dN: outputOf(w, 2, D) },
      expected: { dN: tokenHeadBackward(w, d, grammar, dOut, theta) },
      tolerance,
    },
    {
      name: `tokenHeadGradient, world ${seed}`,
      kernel: tokenKernels.tokenHeadGradient,
      dims: { ...common, vocabulary, slices, biasAt, valueBiasAt },
      groups: [Math.ceil(((vocabulary + values) * (D + 1)) / 64), slices, w.S],
      buffers: { rows, N, dOut, grammar, partials },
      expected: { partials: tokenHeadGradient(w, d, grammar, slices, N, dOut, partials) },
      tolerance,
    },
    {
      name: `lastValue, world ${seed}`,
      kernel: kernels.lastValue,
      dims: { R, n, values, B, T },
      groups: [Math.ceil(R / 64), 1, w.S],
      buffers: { rows, out: dOut, y: untouched(w.S * B) },
      expected: { y: lastValue(w, n, values, B, T, dOut) },
      tolerance,
    },
  ];
});
