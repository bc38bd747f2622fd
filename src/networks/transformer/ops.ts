import { exp, log } from '../../core/fmath.ts';
import type { Sequences } from './sequence.ts';

/**
 * Operations of a transformer that a chain of dense layers does not have: the definitions of the kernels of the same
 * names. All matrices are row-major, one row per token; nothing allocates.
 */

const EPSILON = 1e-5;

/** Y = gain ⊙ (x − mean) / √(var + ε) + bias for each row; `scale` [rows] keeps 1/√(var + ε), `unit` the middle factor. */
export function layerNorm(
  X: Float32Array,
  rows: number,
  D: number,
  theta: Float32Array,
  gainAt: number,
  biasAt: number,
  Y: Float32Array,
  unit: Float32Array,
  scale: Float32Array,
): void {
  for (let r = 0; r < rows; r++) {
    const at = r * D;
    let mean = 0;
    for (let j = 0; j < D; j++) mean += X[at + j]!;
    mean /= D;
    let squares = 0;
    for (let j = 0; j < D; j++) squares += (X[at + j]! - mean) * (X[at + j]! - mean);
    const s = 1 / Math.sqrt(squares / D + EPSILON);
    scale[r] = s;
    for (let j = 0; j < D; j++) {
      const u = (X[at + j]! - mean) * s;
      unit[at + j] = u;
      Y[at + j] = theta[gainAt + j]! * u + theta[biasAt + j]!;
    }
  }
}

/** dX += s·(g − mean g − u·mean(g⊙u)) with g = dY ⊙ gain; gain and bias gradients are added to `gradient`. */
export function layerNormBackward(
  dY: Float32Array,
  rows: number,
  D: number,
  theta: Float32Array,
  gainAt: number,
  unit: Float32Array,
  scale: Float32Array,
  dX: Float32Array,
  gradient: Float32Array,
  gradientGainAt: number,
  gradientBiasAt: number,
): void {
  for (let r = 0; r < rows; r++) {
    const at = r * D;
    let mean = 0;
    let along = 0;
    for (let j = 0; j < D; j++) {
      const d = dY[at + j]!;
      const g = d * theta[gainAt + j]!;
      mean += g;
      along += g * unit[at + j]!;
      gradient[gradientGainAt + j]! += d * unit[at + j]!;
      gradient[gradientBiasAt + j]! += d;
    }
    mean /= D;
    along /= D;
    for (let j = 0; j < D; j++) {
      dX[at + j]! += scale[r]! * (dY[at + j]! * theta[gainAt + j]! - mean - unit[at + j]! * along);
    }
  }
}

/** May token q read token k of the same row? Context causally, prefixes their beginnings. */
function reads(s: Sequences, q: number, k: number): boolean {
  const prefix = s.prefix[k]!;
  return prefix < 0 || ((s.ancestors[q]! >>> prefix) & 1) === 1;
}

const scores = new Float64Array(4096);

/** softmax weights of query q over its row into `scores`; returns log Σ exp. Unreadable keys get 0. */
function weigh(
  s: Sequences,
  QKV: Float32Array,
  D: number,
  dh: number,
  head: number,
  q: number,
  first: number,
  theta: Float32Array,
  relAt: number,
  distances: number,
): number {
  const inverse = 1 / Math.sqrt(dh);
  const Q = q * 3 * D + head * dh;
  let top = -Infinity;
  for (let k = first; k <= q; k++) {
    if (!reads(s, q, k)) {
      scores[k - first] = -Infinity;
      continue;
    }
    const K = k * 3 * D + D + head * dh;
    let dot = 0;
    for (let j = 0; j < dh; j++) dot += QKV[Q + j]! * QKV[K + j]!;
    const score = dot * inverse + theta[relAt + head * distances + s.order[q]! - s.order[k]!]!;
    scores[k - first] = score;
    if (score > top) top = score;
  }
  let total = 0;
  for (let k = first; k <= q; k++) {
    const e = exp(scores[k - first]! - top);
    scores[k - first] = e;
    total += e;
  }
  for (let k = first; k <= q; k++) scores[k - first]! /= total;
  return top + log(total);
}

/**
 * Attention of the given queries: O[m,:] = Σ_k softmax_k(q·k/√dh + rel[head, distance]) v_k, heads side by side.
 * QKV [tokens, 3D]   queries [m] token indices, ascending   O [m, D]
 */
export function attention(
  s: Sequences,
  queries: Int32Array,
  count: number,
  QKV: Float32Array,
  D: number,
  heads: number,
  theta: Float32Array,
  relAt: number,
  distances: number,
  O: Float32Array,
): void {
  const dh = D / heads;
  let row = 0;
  for (let m = 0; m < count; m++) {
    const q = queries[m]!;
    while (q >= s.start[row + 1]!) row++;
    const first = s.start[row]!;
    for (let head = 0; head < heads; head++) {
      weigh(s, QKV, D, dh, head, q, first, theta, relAt, distances);
      const o = m * D + head * dh;
      O.fill(0, o, o + dh);
      for (let k = first; k <= q; k++) {
        const p = scores[k - first]!;
        if (p === 0) continue;
        const V = k * 3 * D + 2 * D + head * dh;
        for (let j = 0; j < dh; j++) O[o + j]! += p * QKV[V + j]!;
      }
    }
  }
}

/** What one query reads, head by head: softmax weights over the tokens of its row up to itself. [heads, tokens of the row] */
export function attentionAt(
  s: Sequences,
  q: number,
  QKV: Float32Array,
  { width, heads }: { readonly width: number; readonly heads: number },
  [theta, relAt, distances]: readonly [Float32Array, number, number],
): Float32Array {
  let row = 0;
  while (q >= s.start[row + 1]!) row++;
  const first = s.start[row]!;
  const tokens = s.start[row + 1]! - first;
  const weights = new Float32Array(heads * tokens);
  for (let head = 0; head < heads; head++) {
    weigh(s, QKV, width, width / heads, head, q, first, theta, relAt, distances);
    for (let k = first; k <= q; k++) weights[head * tokens + k - first] = scores[k - first]!;
  }
  return weights;
}

/** dQKV (cleared here) and the gradient of the distance table from dO; softmax weights are computed again. */
export function attentionBackward(
  s: Sequences,
  queries: Int32Array,
  count: number,
  QKV: Float32Array,
  D: number,
  heads: number,
  theta: Float32Array,
  relAt: number,
  distances: number,
  dO: Float32Array,
  dQKV: Float32Array,
  gradient: Float32Array,
  gradientRelAt: number,
): void {
  const dh = D / heads;
  const inverse = 1 / Math.sqrt(dh);
  dQKV.fill(0, 0, s.count * 3 * D);
  let row = 0;
  for (let m = 0; m < count; m++) {
    const q = queries[m]!;
    while (q >= s.start[row + 1]!) row++;
    const first = s.start[row]!;
    for (let head = 0; head < heads; head++) {
      weigh(s, QKV, D, dh, head, q, first, theta, relAt, distances);
      const o = m * D + head * dh;
      const Q = q * 3 * D + head * dh;
      // Σ_k p_k (dO·v_k)
      let mean = 0;
      for (let k = first; k <= q; k++) {
        const p = scores[k - first]!;
        if (p === 0) continue;
        const V = k * 3 * D + 2 * D + head * dh;
        let dot = 0;
        for (let j = 0; j < dh; j++) dot += dO[o + j]! * QKV[V + j]!;
        mean += p * dot;
      }
      for (let k = first; k <= q; k++) {
        const p = scores[k - first]!;
        if (p === 0) continue;
        const K = k * 3 * D + D + head * dh;
        const V = K + D;
        let dot = 0;
        for (let j = 0; j < dh; j++) {
          dot += dO[o + j]! * QKV[V + j]!;
          dQKV[V + j]! += p * dO[o + j]!;
        }
        const dScore = p * (dot - mean);
        gradient[gradientRelAt + head * distances + s.order[q]! - s.order[k]!]! += dScore;
        const d = dScore * inverse;
        for (let j = 0; j < dh; j++) {
          dQKV[Q + j]! += d * QKV[K + j]!;
          dQKV[K + j]! += d * QKV[Q + j]!;
        }
      }
    }
  }
}
