import { exp } from '../../core/fmath.ts';
import type { Weights } from '../dense/linear.ts';
import type { Kernels } from '../kernels.ts';
import type { Attends } from '../transformer/layer.ts';
import { memoryOf, reachOf, type GtrxlShape } from './shape.ts';

/** Which steps are rows of the activations, and what each of them reads: steps of its episode, oldest first, up to itself. */
export class Window {
  count = 0;
  /** [rows] all of them, as those that ask */
  readonly token: Int32Array;
  /** [rows] step of the episode */
  readonly t: Int32Array;
  /** [rows] first row that is read, and first row of the same segment, where a gradient ends */
  readonly first: Int32Array;
  readonly own: Int32Array;
  /** [rows] steps before those that are read from `memory`, and where the memory of the episode begins */
  readonly past: Int32Array;
  readonly pastAt: Int32Array;
  memory: Float32Array = new Float32Array(0);
  private readonly shape: GtrxlShape;

  constructor(shape: GtrxlShape, rows: number) {
    this.shape = shape;
    this.token = Int32Array.from({ length: rows }, (_, r) => r);
    this.t = new Int32Array(rows);
    this.first = new Int32Array(rows);
    this.own = new Int32Array(rows);
    this.past = new Int32Array(rows);
    this.pastAt = new Int32Array(rows);
  }

  /** Steps begin … to − 1 of the episode whose memory is number `episode`, as the next rows; `recalls`: steps before them are read from there. */
  add(episode: number, begin: number, to: number, recalls: boolean): void {
    const { memory: M, segment: L } = this.shape;
    const at = this.count;
    for (let t = begin; t < to; t++) {
      const segment = t - (t % L);
      const oldest = Math.max(0, segment - M);
      const r = this.count++;
      this.t[r] = t;
      this.first[r] = at + Math.max(0, oldest - begin);
      this.own[r] = at + Math.max(0, segment - begin);
      this.past[r] = recalls ? Math.max(0, begin - oldest) : 0;
      this.pastAt[r] = episode * memoryOf(this.shape);
    }
  }
}

const scores = new Float64Array(1024);

/**
 * O[r,:] = Σ_u softmax_u(q·k_u/√dh + rel[head, t − u]) v_u over the steps u that row r reads, heads side by side.
 *
 * Keys and values of an earlier segment come from stored layer inputs: their gradient teaches the products that made them,
 * and goes no further (`dStored`).
 */
export class WindowAttention implements Attends {
  readonly QKV: Float32Array;
  readonly O: Float32Array;
  readonly dStored: Float32Array;
  private readonly shape: GtrxlShape;
  private readonly window: Window;
  private readonly relAt: number;
  /** where the memory of this layer begins in that of an episode */
  private readonly layerAt: number;

  /** `dStored` [rows, 3D] serves all layers in turn. */
  constructor(
    shape: GtrxlShape,
    window: Window,
    { l, relAt }: { readonly l: number; readonly relAt: number },
    dStored: Float32Array,
    kernels: Kernels,
  ) {
    this.shape = shape;
    this.window = window;
    this.relAt = relAt;
    this.layerAt = l * reachOf(shape) * 2 * shape.width;
    this.dStored = dStored;
    this.QKV = kernels.floats(window.token.length * 3 * shape.width);
    this.O = kernels.floats(window.token.length * shape.width);
  }

  /** Where key and value of step u of the episode of row r are kept. */
  private keptAt(r: number, u: number): number {
    return this.window.pastAt[r]! + this.layerAt + (u % reachOf(this.shape)) * 2 * this.shape.width;
  }

  /** Softmax weights of row r over the steps it reads, oldest first, into `scores`. */
  private weigh({ theta, from }: Weights, head: number, r: number): void {
    const { QKV } = this;
    const { width: D, heads } = this.shape;
    const { t, first, past, memory } = this.window;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    const Q = r * 3 * D + head * dh;
    const rel = from + this.relAt + head * reachOf(this.shape);
    const [kept, begin] = [past[r]!, first[r]!];
    const n = kept + r + 1 - begin;
    let top = -Infinity;
    for (let i = 0; i < n; i++) {
      const isKept = i < kept;
      const keys = isKept ? memory : QKV;
      const K = (isKept ? this.keptAt(r, t[r]! - n + 1 + i) : (begin + i - kept) * 3 * D + D) + head * dh;
      let dot = 0;
      for (let j = 0; j < dh; j++) dot += QKV[Q + j]! * keys[K + j]!;
      const score = dot * inverse + theta[rel + n - 1 - i]!;
      scores[i] = score;
      if (score > top) top = score;
    }
    let total = 0;
    for (let i = 0; i < n; i++) total += scores[i] = exp(scores[i]! - top);
    for (let i = 0; i < n; i++) scores[i]! /= total;
  }

  /** Appends what each head of row r reads: shares of the steps, oldest first. */
  addShares(weights: Weights, r: number, to: number[]): void {
    for (let head = 0; head < this.shape.heads; head++) {
      this.weigh(weights, head, r);
      for (let i = 0; i <= r - this.window.first[r]!; i++) to.push(scores[i]!);
    }
  }

  forward(weights: Weights): void {
    const { QKV, O } = this;
    const { width: D, heads } = this.shape;
    const { count, t, first, past, memory } = this.window;
    const dh = D / heads;
    for (let r = 0; r < count; r++) {
      const [kept, begin] = [past[r]!, first[r]!];
      const n = kept + r + 1 - begin;
      for (let head = 0; head < heads; head++) {
        this.weigh(weights, head, r);
        const o = r * D + head * dh;
        O.fill(0, o, o + dh);
        for (let i = 0; i < n; i++) {
          const isKept = i < kept;
          const values = isKept ? memory : QKV;
          const V = (isKept ? this.keptAt(r, t[r]! - n + 1 + i) + D : (begin + i - kept) * 3 * D + 2 * D) + head * dh;
          const p = scores[i]!;
          for (let j = 0; j < dh; j++) O[o + j]! += p * values[V + j]!;
        }
      }
    }
  }

  /** Only of rows whose past are rows as well; softmax weights are computed again. */
  backward(weights: Weights, gradient: Float32Array, dO: Float32Array, dQKV: Float32Array): void {
    const { QKV, dStored } = this;
    const { width: D, heads } = this.shape;
    const { count, first, own } = this.window;
    const dh = D / heads;
    const inverse = 1 / Math.sqrt(dh);
    dQKV.fill(0, 0, count * 3 * D);
    dStored.fill(0, 0, count * 3 * D);
    for (let r = 0; r < count; r++) {
      const begin = first[r]!;
      for (let head = 0; head < heads; head++) {
        const o = r * D + head * dh;
        let isAny = false;
        for (let j = 0; j < dh; j++) isAny ||= dO[o + j] !== 0;
        // steps before those that were asked about teach nothing by themselves
        if (!isAny) continue;
        this.weigh(weights, head, r);
        const Q = r * 3 * D + head * dh;
        const rel = this.relAt + head * reachOf(this.shape);
        // Σ_u p_u (dO·v_u)
        let mean = 0;
        for (let k = begin; k <= r; k++) {
          const V = k * 3 * D + 2 * D + head * dh;
          let dot = 0;
          for (let j = 0; j < dh; j++) dot += dO[o + j]! * QKV[V + j]!;
          mean += scores[k - begin]! * dot;
        }
        for (let k = begin; k <= r; k++) {
          const p = scores[k - begin]!;
          const K = k * 3 * D + D + head * dh;
          const V = K + D;
          const dKV = k < own[r]! ? dStored : dQKV;
          let dot = 0;
          for (let j = 0; j < dh; j++) {
            dot += dO[o + j]! * QKV[V + j]!;
            dKV[V + j]! += p * dO[o + j]!;
          }
          const dScore = p * (dot - mean);
          gradient[rel + r - k]! += dScore;
          const d = dScore * inverse;
          for (let j = 0; j < dh; j++) {
            dQKV[Q + j]! += d * QKV[K + j]!;
            dKV[K + j]! += d * QKV[Q + j]!;
          }
        }
      }
    }
  }
}
