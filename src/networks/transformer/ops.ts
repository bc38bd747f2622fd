import { exp } from '../../core/fmath.ts';
import type { Weights } from '../dense/linear.ts';
import type { Kernels } from '../kernels.ts';
import type { Sequences } from './sequence.ts';

/**
 * Operations of a transformer that a chain of dense layers does not have, each with what its way back needs: the
 * definitions of the kernels of the same names. All matrices are row-major, one row per token; arrays are made once.
 */

const EPSILON = 1e-5;

/** Where the tensors of a layer norm over rows of width D begin. */
export type NormAt = { readonly D: number; readonly gainAt: number; readonly biasAt: number };

/** Y = gain ⊙ u + bias for each row x of X, with u = (x − mean)·s and s = 1/√(var + ε). */
export class LayerNorm {
  /** [rows, D] */
  readonly Y: Float32Array;
  /** [rows, D] u */
  private readonly unit: Float32Array;
  /** [rows] s */
  private readonly scale: Float32Array;
  private readonly at: NormAt;

  constructor(at: NormAt, rows: number, kernels: Kernels) {
    this.at = at;
    this.Y = kernels.floats(rows * at.D);
    this.unit = kernels.floats(rows * at.D);
    this.scale = kernels.floats(rows);
  }

  forward({ theta, from }: Weights, X: Float32Array, rows: number): void {
    const { Y, unit, scale } = this;
    const { D } = this.at;
    const gain = from + this.at.gainAt;
    const bias = from + this.at.biasAt;
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
        Y[at + j] = theta[gain + j]! * u + theta[bias + j]!;
      }
    }
  }

  /** dX += s·(g − mean g − u·mean(g⊙u)) with g = dY ⊙ gain; gain and bias gradients are added to `gradient`. */
  backward({ theta, from }: Weights, gradient: Float32Array, dY: Float32Array, rows: number, dX: Float32Array): void {
    const { unit, scale } = this;
    const { D, gainAt, biasAt } = this.at;
    const gain = from + gainAt;
    for (let r = 0; r < rows; r++) {
      const at = r * D;
      let mean = 0;
      let along = 0;
      for (let j = 0; j < D; j++) {
        const d = dY[at + j]!;
        const g = d * theta[gain + j]!;
        mean += g;
        along += g * unit[at + j]!;
        gradient[gainAt + j]! += d * unit[at + j]!;
        gradient[biasAt + j]! += d;
      }
      mean /= D;
      along /= D;
      for (let j = 0; j < D; j++) {
        dX[at + j]! += scale[r]! * (dY[at + j]! * theta[gain + j]! - mean - unit[at + j]! * along);
      }
    }
  }
}

/** May token q read token k of the same row? Context causally, prefixes their beginnings. */
function reads(s: Sequences, q: number, k: number): boolean {
  const prefix = s.prefix[k]!;
  return prefix < 0 || ((s.ancestors[q]! >>> prefix) & 1) === 1;
}

const scores = new Float64Array(4096);

/** Tokens that ask: their indices, ascending, and how many they are. */
export type Queries = { readonly token: Int32Array; count: number };

/** Widths of an attention, and where its table of distances [heads, distances] begins. */
export type AttentionAt = {
  readonly D: number;
  readonly heads: number;
  readonly distances: number;
  readonly relAt: number;
};

/** O[m,:] = Σ_k softmax_k(q·k/√dh + rel[head, distance]) v_k for the m-th of the tokens that ask, heads side by side. */
export class Attention {
  /** [tokens, 3D] queries, keys and values of all tokens, to be filled before `forward` */
  readonly QKV: Float32Array;
  /** [queries, D] */
  readonly O: Float32Array;
  private readonly at: AttentionAt;
  private readonly seq: Sequences;
  private readonly queries: Queries;

  constructor(at: AttentionAt, seq: Sequences, queries: Queries, kernels: Kernels) {
    this.at = at;
    this.seq = seq;
    this.queries = queries;
    this.QKV = kernels.floats(seq.token.length * 3 * at.D);
    this.O = kernels.floats(queries.token.length * at.D);
  }

  /** Softmax weights of query q over its row, which begins at token `first`, into `scores`. Unreadable keys get 0. */
  private weigh({ theta, from }: Weights, head: number, q: number, first: number): void {
    const { QKV, seq: s } = this;
    const { D, heads, distances, relAt } = this.at;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    const Q = q * 3 * D + head * dh;
    const rel = from + relAt + head * distances + s.order[q]!;
    let top = -Infinity;
    for (let k = first; k <= q; k++) {
      if (!reads(s, q, k)) {
        scores[k - first] = -Infinity;
        continue;
      }
      const K = k * 3 * D + D + head * dh;
      let dot = 0;
      for (let j = 0; j < dh; j++) dot += QKV[Q + j]! * QKV[K + j]!;
      const score = dot * inverse + theta[rel - s.order[k]!]!;
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
  }

  forward(weights: Weights): void {
    const { QKV, O, seq: s } = this;
    const { token, count } = this.queries;
    const { D, heads } = this.at;
    const dh = D / heads;
    let row = 0;
    for (let m = 0; m < count; m++) {
      const q = token[m]!;
      while (q >= s.start[row + 1]!) row++;
      const first = s.start[row]!;
      for (let head = 0; head < heads; head++) {
        this.weigh(weights, head, q, first);
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

  /** What one token reads, head by head: softmax weights over the tokens of its row up to itself. [heads, tokens of the row] */
  readBy(q: number, weights: Weights): Float32Array {
    const { heads } = this.at;
    const { start } = this.seq;
    let row = 0;
    while (q >= start[row + 1]!) row++;
    const first = start[row]!;
    const tokens = start[row + 1]! - first;
    const shares = new Float32Array(heads * tokens);
    for (let head = 0; head < heads; head++) {
      this.weigh(weights, head, q, first);
      for (let k = first; k <= q; k++) shares[head * tokens + k - first] = scores[k - first]!;
    }
    return shares;
  }

  /** dQKV (cleared here) and the gradient of the distance table from dO; softmax weights are computed again. */
  backward(weights: Weights, gradient: Float32Array, dO: Float32Array, dQKV: Float32Array): void {
    const { QKV, seq: s } = this;
    const { token, count } = this.queries;
    const { D, heads, distances, relAt } = this.at;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    dQKV.fill(0, 0, s.count * 3 * D);
    let row = 0;
    for (let m = 0; m < count; m++) {
      const q = token[m]!;
      while (q >= s.start[row + 1]!) row++;
      const first = s.start[row]!;
      for (let head = 0; head < heads; head++) {
        this.weigh(weights, head, q, first);
        const o = m * D + head * dh;
        const Q = q * 3 * D + head * dh;
        const rel = relAt + head * distances + s.order[q]!;
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
          gradient[rel - s.order[k]!]! += dScore;
          const d = dScore * inverse;
          for (let j = 0; j < dh; j++) {
            dQKV[Q + j]! += d * QKV[K + j]!;
            dQKV[K + j]! += d * QKV[Q + j]!;
          }
        }
      }
    }
  }
}
