import { units } from '../../../accuracy.ts';
import { numbers, type Case } from '../../../conformance.ts';
import { tokenKernels } from '../../tokenKernels.ts';
import {
  addSlices,
  eachLive,
  groupsFor,
  outputOf,
  tokenAt,
  valuesOf,
  worlds,
  type TokenWorld,
} from '../../tokenWorld.ts';

type Sizes = { D: number; size: number; wordAt: number; placeAt: number };

/** X = E[token] + P[place] of every live token. */
export function tokenEmbed(w: TokenWorld, d: Sizes, theta: Float32Array, X: Float32Array): Float32Array {
  const out = X.slice();
  eachLive(w, 1, (s, i, row) => {
    const t = tokenAt(w, s, i);
    for (let j = 0; j < d.D; j++) {
      const word = theta[s * d.size + d.wordAt + t.token * d.D + j]!;
      out[row * d.D + j] = word + theta[s * d.size + d.placeAt + t.place * d.D + j]!;
    }
  });
  return out;
}

/** Vectors of words and places gather dX of the tokens that used them. */
export function tokenEmbedGradient(
  w: TokenWorld,
  d: Sizes,
  slices: number,
  dX: Float32Array,
  partials: Float32Array,
): Float32Array {
  return addSlices(w, 1, slices, d.size, partials, (s, from, to, add) => {
    for (let i = from; i < to; i++) {
      const t = tokenAt(w, s, i);
      for (let j = 0; j < d.D; j++) {
        const x = dX[(s * w.most[1] + i) * d.D + j]!;
        add(d.wordAt + t.token * d.D + j, x);
        add(d.placeAt + t.place * d.D + j, x);
      }
    }
  });
}

export const cases: readonly Case[] = worlds.flatMap((w, seed) => {
  const D = [1, 8, 21][seed]!;
  const slices = [1, 3, 4][seed]!;
  const wordAt = 2;
  const placeAt = wordAt + w.vocabulary * D;
  const d: Sizes = { D, size: placeAt + w.places * D + 1, wordAt, placeAt };
  const theta = numbers(seed, w.S * d.size);
  const X = outputOf(w, 1, D);
  const dX = valuesOf(w, 1, D, seed + 5);
  const partials = numbers(seed + 6, w.S * slices * d.size);
  const { rows, tokens, stride } = w;
  const dims = { ...d, stride, maxRows: w.most[1] };
  const vectors = w.vocabulary + w.places;
  return [
    {
      name: `tokenEmbed, world ${seed}`,
      kernel: tokenKernels.tokenEmbed,
      dims,
      groups: groupsFor(w, 1, D),
      buffers: { rows, tokens, theta, X },
      expected: { X: tokenEmbed(w, d, theta, X) },
      // one sum
      tolerance: units(1),
    },
    {
      name: `tokenEmbedGradient, world ${seed}`,
      kernel: tokenKernels.tokenEmbedGradient,
      dims: { ...dims, vocabulary: w.vocabulary, places: w.places, slices },
      groups: [Math.ceil((vectors * Math.ceil(D / 8)) / 64), slices, w.S],
      buffers: { rows, tokens, dX, partials },
      expected: { partials: tokenEmbedGradient(w, d, slices, dX, partials) },
      // at most 20 numbers below 1
      tolerance: { abs: 5e-6, rel: 0 },
    },
  ];
});
