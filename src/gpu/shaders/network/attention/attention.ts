import { exp, log } from '../../../../core/fmath.ts';
import { numbers, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { attentionWith, tokenKernels } from '../../tokenKernels.ts';
import {
  addSlices,
  eachLive,
  groupsFor,
  outputOf,
  queryAt,
  tokenAt,
  valuesOf,
  worlds,
  type TokenWorld,
} from '../../tokenWorld.ts';

type Sizes = { isAll: boolean; heads: number; width: number; size: number; relAt: number; distances: number };
/** A pair of tokens that attend, with its score and what it carries. */
type Pair = { s: number; m: number; q: number; k: number; head: number; distance: number; score: number };

/** All readable pairs of every (query, head), keys in order. */
function eachQuery(
  w: TokenWorld,
  d: Sizes,
  QKV: Float32Array,
  theta: Float32Array,
  f: (row: number, pairs: readonly Pair[]) => void,
): void {
  const { heads, width, isAll } = d;
  const D = heads * width;
  eachLive(w, isAll ? 1 : 2, (s, m, row) => {
    const q = queryAt(w, s, m, isAll);
    const me = tokenAt(w, s, q);
    for (let head = 0; head < heads; head++) {
      const pairs: Pair[] = [];
      for (let k = me.first; k <= q; k++) {
        const key = tokenAt(w, s, k);
        if (key.prefix >= 0 && ((me.ancestors >>> key.prefix) & 1) === 0) continue;
        const distance = me.order - key.order;
        const Q = (s * w.most[1] + q) * 3 * D + head * width;
        const K = (s * w.most[1] + k) * 3 * D + D + head * width;
        let dot = 0;
        for (let j = 0; j < width; j++) dot += QKV[Q + j]! * QKV[K + j]!;
        const score = dot / Math.sqrt(width) + theta[s * d.size + d.relAt + head * d.distances + distance]!;
        pairs.push({ s, m, q, k, head, distance, score });
      }
      f(row * heads + head, pairs);
    }
  });
}

const at = (w: TokenWorld, d: Sizes, p: Pair, token: number, third: number, j: number): number =>
  (s3(w, p) + token) * 3 * d.heads * d.width + third * d.heads * d.width + p.head * d.width + j;
const s3 = (w: TokenWorld, p: Pair): number => p.s * w.most[1];

/** O = Σ softmax(score)·v; soft = log Σ exp(score), 0. */
export function attention(
  w: TokenWorld,
  d: Sizes,
  QKV: Float32Array,
  theta: Float32Array,
): { O: Float32Array; soft: Float32Array } {
  const level = d.isAll ? 1 : 2;
  const O = outputOf(w, level, d.heads * d.width);
  const soft = outputOf(w, level, 2 * d.heads);
  eachQuery(w, d, QKV, theta, (row, pairs) => {
    const top = Math.max(...pairs.map((p) => p.score));
    const logSum = top + log(pairs.reduce((sum, p) => sum + exp(p.score - top), 0));
    soft.set([logSum, 0], 2 * row);
    for (let j = 0; j < d.width; j++) {
      let o = 0;
      for (const p of pairs) o += exp(p.score - logSum) * QKV[at(w, d, p, p.k, 2, j)]!;
      O[row * d.width + j] = o;
    }
  });
  return { O, soft };
}

/** Second word of soft = dO·O per head. */
export function attentionDots(
  w: TokenWorld,
  d: Sizes,
  O: Float32Array,
  dO: Float32Array,
  soft: Float32Array,
): Float32Array {
  const out = soft.slice();
  eachLive(w, d.isAll ? 1 : 2, (_s, _m, row) => {
    for (let head = row * d.heads; head < (row + 1) * d.heads; head++) {
      let dot = 0;
      for (let j = 0; j < d.width; j++) dot += dO[head * d.width + j]! * O[head * d.width + j]!;
      out[2 * head + 1] = dot;
    }
  });
  return out;
}

/** ∂ of queries, keys and values, and of every score. */
export function attentionBackward(
  w: TokenWorld,
  d: Sizes,
  QKV: Float32Array,
  theta: Float32Array,
  soft: Float32Array,
  dO: Float32Array,
): { dQKV: Float32Array; dS: Float32Array } {
  const D = d.heads * d.width;
  const sums = new Float64Array(w.S * w.most[1] * 3 * D);
  const dS = outputOf(w, d.isAll ? 1 : 2, d.heads * d.distances);
  eachQuery(w, d, QKV, theta, (row, pairs) => {
    for (const p of pairs) {
      const weight = exp(p.score - soft[2 * row]!);
      let dot = 0;
      for (let j = 0; j < d.width; j++) dot += dO[row * d.width + j]! * QKV[at(w, d, p, p.k, 2, j)]!;
      const ds = weight * (dot - soft[2 * row + 1]!);
      dS[row * d.distances + p.distance] = ds;
      for (let j = 0; j < d.width; j++) {
        sums[at(w, d, p, p.q, 0, j)]! += (ds / Math.sqrt(d.width)) * QKV[at(w, d, p, p.k, 1, j)]!;
        sums[at(w, d, p, p.k, 1, j)]! += (ds / Math.sqrt(d.width)) * QKV[at(w, d, p, p.q, 0, j)]!;
        sums[at(w, d, p, p.k, 2, j)]! += weight * dO[row * d.width + j]!;
      }
    }
  });
  const dQKV = outputOf(w, 1, 3 * D);
  eachLive(w, 1, (_s, _i, row) => dQKV.set(sums.subarray(row * 3 * D, (row + 1) * 3 * D), row * 3 * D));
  return { dQKV, dS };
}

/** Σ over queries of dS at every distance that a query has. */
export function distanceGradient(
  w: TokenWorld,
  d: Sizes,
  slices: number,
  dS: Float32Array,
  partials: Float32Array,
): Float32Array {
  const level = d.isAll ? 1 : 2;
  return addSlices(w, level, slices, d.size, partials, (s, from, to, add) => {
    for (let m = from; m < to; m++) {
      const { order } = tokenAt(w, s, queryAt(w, s, m, d.isAll));
      for (let head = 0; head < d.heads; head++)
        for (let distance = 0; distance <= order; distance++) {
          const k = head * d.distances + distance;
          add(d.relAt + k, dS[(s * w.most[level] + m) * d.heads * d.distances + k]!);
        }
    }
  });
}

/** Parts of dQKV that one of the two backward kernels writes; the rest stays as it was. */
function onlyPart(w: TokenWorld, d: Sizes, dQKV: Float32Array, part: 'query' | 'key'): Float32Array {
  const D = d.heads * d.width;
  const out = outputOf(w, 1, 3 * D);
  eachLive(w, 1, (s, i, row) => {
    const isQuery = d.isAll || tokenAt(w, s, i).prefix >= 0;
    for (let k = row * 3 * D; k < (row + 1) * 3 * D; k++) {
      const isFirstThird = k - row * 3 * D < D;
      if (part === 'query' ? isFirstThird && isQuery : !isFirstThird || !isQuery) out[k] = dQKV[k]!;
    }
  });
  return out;
}

const heads = [
  [1, 1],
  [2, 3],
  [3, 8],
] as const;

export const cases: readonly Case[] = worlds.flatMap((w, seed) =>
  [true, false].flatMap((isAll): Case[] => {
    const [h, width] = heads[seed]!;
    const D = h * width;
    const level = isAll ? 1 : 2;
    const relAt = 3;
    const slices = [1, 3, 4][seed]!;
    const d: Sizes = { isAll, heads: h, width, size: relAt + h * w.places + 1, relAt, distances: w.places };
    const QKV = valuesOf(w, 1, 3 * D, seed, -2, 2);
    const theta = numbers(seed + 1, w.S * d.size);
    const dO = valuesOf(w, level, D, seed + 2);
    const { O, soft } = attention(w, d, QKV, theta);
    const known = attentionDots(w, d, O, dO, soft);
    const { dQKV, dS } = attentionBackward(w, d, QKV, theta, known, dO);
    const partials = numbers(seed + 3, w.S * slices * d.size);
    const { rows, tokens, stride, J } = w;
    const where = { stride, maxTokens: w.most[1], maxQueries: w.most[level], J, isAll: isAll ? 1 : 0, heads: h };
    const dims = { ...where, size: d.size, relAt, distances: d.distances };
    const name = `world ${seed}, ${isAll ? 'all tokens' : 'prefixes'}`;
    const inputs = { rows, tokens, QKV, theta };
    const untouchedTokens = (): Float32Array => outputOf(w, 1, 3 * D);
    // scores up to 12 with relative errors of exp near 1e-6, sums over at most 22 keys
    const tolerance = { abs: 1e-5, rel: 2e-5 };
    return [
      {
        name: `attention, ${name}`,
        kernel: attentionWith(width, 'attention'),
        dims,
        groups: groupsFor(w, level, h),
        buffers: { ...inputs, O: outputOf(w, level, D), soft: outputOf(w, level, 2 * h) },
        expected: { O, soft },
        tolerance,
      },
      {
        name: `attentionDots, ${name}`,
        kernel: kernels.attentionDots,
        dims: { which: level, stride, maxQueries: w.most[level], heads: h, width },
        groups: groupsFor(w, level, h),
        buffers: { rows, O, dO, soft },
        expected: { soft: known },
        tolerance,
      },
      {
        name: `attentionQuery, ${name}`,
        kernel: attentionWith(width, 'attentionQuery'),
        dims,
        groups: groupsFor(w, level, h),
        buffers: { ...inputs, soft: known, dO, dQKV: untouchedTokens(), dS: outputOf(w, level, h * d.distances) },
        expected: { dQKV: onlyPart(w, d, dQKV, 'query'), dS },
        tolerance,
      },
      {
        name: `attentionKey, ${name}`,
        kernel: attentionWith(width, 'attentionKey'),
        dims,
        groups: groupsFor(w, 1, h),
        buffers: { ...inputs, soft: known, dO, dQKV: untouchedTokens() },
        expected: { dQKV: onlyPart(w, d, dQKV, 'key') },
        tolerance,
      },
      {
        name: `distanceGradient, ${name}`,
        kernel: tokenKernels.distanceGradient,
        dims: { ...dims, slices },
        groups: [Math.ceil((h * d.distances) / 64), slices, w.S],
        buffers: { rows, tokens, dS, partials },
        expected: { partials: distanceGradient(w, d, slices, dS, partials) },
        tolerance,
      },
    ];
  }),
);
