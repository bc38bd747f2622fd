import { exp } from '../../core/fmath.ts';
import type { Weights } from '../dense/linear.ts';
import type { Kernels } from '../kernels.ts';
import type { Attends } from '../transformer/layer.ts';
import { distancesOf, rowsOf, type MemoShape } from './shape.ts';

/**
 * Tokens of one segment of some episodes, as rows of the activations: the summary that was written last, steps, and the summary
 * that follows. What they read of earlier segments, and of steps that are no rows, is in `store`.
 */
export class Tokens {
  count = 0;
  /** [rows] all of them, as those that ask */
  readonly token: Int32Array;
  /** [rows] place in the segment: −S … −1 the summary before it, 0 … L − 1 steps, L … its own summary */
  readonly place: Int32Array;
  readonly segment: Int32Array;
  /** [rows] first row of its episode */
  readonly first: Int32Array;
  /** [rows] steps of the segment that are no rows, which only an episode that is played has */
  readonly remembered: Int32Array;
  /** [rows] where keys and values of its episode begin: of summaries, and of steps */
  readonly summariesAt: Int32Array;
  readonly stepsAt: Int32Array;
  store: Float32Array = new Float32Array(0);
  /** the same with gradients; null: nothing goes back */
  dStore: Float32Array | null = null;
  /** segments whose summaries `store` has room for: that of segment s is in place s mod `ring` */
  ring = 1;

  constructor(rows: number) {
    this.token = Int32Array.from({ length: rows }, (_, r) => r);
    this.place = new Int32Array(rows);
    this.segment = new Int32Array(rows);
    this.first = new Int32Array(rows);
    this.remembered = new Int32Array(rows);
    this.summariesAt = new Int32Array(rows);
    this.stepsAt = new Int32Array(rows);
  }
}

const MOST_KEYS = 256;
const scores = new Float64Array(MOST_KEYS);
/** where key and value of what a row reads begin, and how far away it is */
const keyAt = new Int32Array(MOST_KEYS);
const distance = new Int32Array(MOST_KEYS);

/**
 * O[r,:] = Σ_u softmax_u(q·k_u/√dh + rel[head, distance]) v_u over what row r reads, heads side by side. Distances count tokens:
 * summaries, steps and the own summary stand one after the other.
 */
export class SummaryAttention implements Attends {
  readonly QKV: Float32Array;
  readonly O: Float32Array;
  private readonly shape: MemoShape;
  private readonly tokens: Tokens;
  private readonly l: number;
  private readonly relAt: number;

  constructor(
    shape: MemoShape,
    tokens: Tokens,
    { l, relAt }: { readonly l: number; readonly relAt: number },
    kernels: Kernels,
  ) {
    this.shape = shape;
    this.tokens = tokens;
    this.l = l;
    this.relAt = relAt;
    this.QKV = kernels.floats(rowsOf(shape) * 3 * shape.width);
    this.O = kernels.floats(rowsOf(shape) * shape.width);
  }

  /** Where key and value of token j of the summary before segment s begin in the store. */
  storedAt(summariesAt: number, s: number, j: number): number {
    const { summary: S, width: D } = this.shape;
    const { ring } = this.tokens;
    return summariesAt + ((this.l * ring + (s % ring)) * S + j) * 2 * D;
  }

  /** Lists what row r reads, oldest first: how many of it are in the store, and how many there are. */
  private list(r: number): readonly [stored: number, n: number] {
    const { segment: L, summary: S, keep, width: D } = this.shape;
    const { place, segment, first, remembered, summariesAt, stepsAt } = this.tokens;
    const [s, p, steps] = [segment[r]!, place[r]!, remembered[r]!];
    let n = 0;
    const last = steps > 0 ? s : s - 1;
    for (let from = Math.max(1, s - keep + 1); from <= last; from++)
      for (let j = 0; j < S; j++) {
        keyAt[n] = this.storedAt(summariesAt[r]!, from, j);
        distance[n++] = p + (s - from + 1) * S - j;
      }
    for (let i = 0; i < steps; i++) {
      keyAt[n] = stepsAt[r]! + (this.l * L + i) * 2 * D;
      distance[n++] = p - i;
    }
    const stored = n;
    for (let k = first[r]!; k <= r; k++) {
      keyAt[n] = k * 3 * D + D;
      distance[n++] = p - place[k]!;
    }
    return [stored, n];
  }

  /** How many summary tokens row r reads, and how many steps. */
  counts(r: number): { readonly summaries: number; readonly steps: number } {
    const n = this.list(r)[1];
    // what stands before the first step is a summary
    const summaries = distance.subarray(0, n).filter((d) => d > this.tokens.place[r]!).length;
    return { summaries, steps: n - summaries };
  }

  /** Softmax weights of the listed tokens of row r into `scores`. */
  private weigh({ theta, from }: Weights, head: number, r: number, [stored, n]: readonly [number, number]): void {
    const { QKV } = this;
    const { width: D, heads } = this.shape;
    const { store } = this.tokens;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    const Q = r * 3 * D + head * dh;
    const rel = from + this.relAt + head * distancesOf(this.shape);
    let top = -Infinity;
    for (let i = 0; i < n; i++) {
      const keys = i < stored ? store : QKV;
      const K = keyAt[i]! + head * dh;
      let dot = 0;
      for (let j = 0; j < dh; j++) dot += QKV[Q + j]! * keys[K + j]!;
      const score = dot * inverse + theta[rel + distance[i]!]!;
      scores[i] = score;
      if (score > top) top = score;
    }
    let total = 0;
    for (let i = 0; i < n; i++) total += scores[i] = exp(scores[i]! - top);
    for (let i = 0; i < n; i++) scores[i]! /= total;
  }

  forward(weights: Weights): void {
    const { QKV, O, tokens } = this;
    const { width: D, heads } = this.shape;
    const dh = D / heads;
    for (let r = 0; r < tokens.count; r++) {
      const listed = this.list(r);
      const [stored, n] = listed;
      for (let head = 0; head < heads; head++) {
        this.weigh(weights, head, r, listed);
        const o = r * D + head * dh;
        O.fill(0, o, o + dh);
        for (let i = 0; i < n; i++) {
          const values = i < stored ? tokens.store : QKV;
          const V = keyAt[i]! + D + head * dh;
          const p = scores[i]!;
          for (let j = 0; j < dh; j++) O[o + j]! += p * values[V + j]!;
        }
      }
    }
  }

  /**
   * Only of segments that are read from their first step; softmax weights are computed again. What later segments have left in
   * `dStore` for the summary at the beginning of this one goes on from here.
   */
  backward(weights: Weights, gradient: Float32Array, dO: Float32Array, dQKV: Float32Array): void {
    const { QKV, tokens } = this;
    const { width: D, heads, summary: S } = this.shape;
    const { count, store, place, segment, summariesAt } = tokens;
    const dStore = tokens.dStore!;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    dQKV.fill(0, 0, count * 3 * D);
    for (let r = 0; r < count; r++) {
      if (place[r]! < 0) {
        const from = this.storedAt(summariesAt[r]!, segment[r]!, S + place[r]!);
        for (let j = 0; j < 2 * D; j++) dQKV[r * 3 * D + D + j]! += dStore[from + j]!;
      }
      const listed = this.list(r);
      const [stored, n] = listed;
      for (let head = 0; head < heads; head++) {
        const o = r * D + head * dh;
        let isAny = false;
        for (let j = 0; j < dh; j++) isAny ||= dO[o + j] !== 0;
        if (!isAny) continue;
        this.weigh(weights, head, r, listed);
        const Q = r * 3 * D + head * dh;
        const rel = this.relAt + head * distancesOf(this.shape);
        // Σ_u p_u (dO·v_u)
        let mean = 0;
        for (let i = 0; i < n; i++) {
          const values = i < stored ? store : QKV;
          const V = keyAt[i]! + D + head * dh;
          let dot = 0;
          for (let j = 0; j < dh; j++) dot += dO[o + j]! * values[V + j]!;
          mean += scores[i]! * dot;
        }
        for (let i = 0; i < n; i++) {
          const p = scores[i]!;
          const [from, to] = i < stored ? [store, dStore] : [QKV, dQKV];
          const K = keyAt[i]! + head * dh;
          const V = K + D;
          let dot = 0;
          for (let j = 0; j < dh; j++) {
            dot += dO[o + j]! * from[V + j]!;
            to[V + j]! += p * dO[o + j]!;
          }
          const dScore = p * (dot - mean);
          gradient[rel + distance[i]!]! += dScore;
          const d = dScore * inverse;
          for (let j = 0; j < dh; j++) {
            dQKV[Q + j]! += d * from[K + j]!;
            to[K + j]! += d * QKV[Q + j]!;
          }
        }
      }
    }
  }
}
