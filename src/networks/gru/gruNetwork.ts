import type { FirstLayer, History, Layers, Network, Outputs } from '../../contract/network.ts';
import { assert } from '../../core/assert.ts';
import { tanh } from '../../core/fmath.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import type { Linear, Observed, Weights } from '../dense/linear.ts';
import { valuesOf, type Layout } from '../layout.ts';
import { sigmoid } from '../transformer/gates.ts';
import type { Sized } from '../types.ts';
import { GRU_CHUNK, GRU_ROWS, gruFloats, gruLayers, gruOutputs, type GruShape } from './shape.ts';

/** Steps t0 … t0 + n − 1 of one trajectory, asked for one after the other: rows at … of the activations. */
type Stretch = { row: number; from: number; to: number; begin: number; at: number };

/**
 * A gated recurrent unit (Cho et al., arXiv 1406.1078, with the reset gate after the product) over the bits of the
 * observations, and a linear head. The definition that the kernels of `gpu/shaders/gruCell` are tested against.
 *
 *   x = b + Σ W[f,:] over the set bits f of o_t      u = c + h_{t−1}·U          [3H]: parts r, z, n
 *   r = σ(x_r + u_r)    z = σ(x_z + u_z)    g = tanh(x_n + r ⊙ u_n)
 *   h_t = (1 − z) ⊙ g + z ⊙ h_{t−1},   h_{−1} = 0         out = d + h_t·V
 *
 * So that ratios are those of the parameters at hand, what is remembered is computed anew from the first observation of an
 * episode, unless `History.recalls` says that it is at hand. A gradient goes back through all earlier steps, or where `unroll` is not 0
 * to the last multiple of it.
 */
export class GruNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk = GRU_CHUNK;
  readonly memory: number;
  readonly first: FirstLayer;
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly hidden: Omit<Outputs, 'd'>;
  private readonly shape: GruShape;
  /** products of the input, of the memory and of the head */
  private readonly layers: readonly [input: Linear, memory: Linear, head: Linear];
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };
  private readonly out: Float32Array;
  private readonly dOut: Float32Array;
  /** [rows, 3H] products of input and memory, then their gradients; [rows, H] gates, memory before and after, ∂h */
  private readonly X: Float32Array;
  private readonly U: Float32Array;
  private readonly gates: readonly [r: Float32Array, z: Float32Array, g: Float32Array];
  private readonly before: Float32Array;
  private readonly after: Float32Array;
  private readonly dH: Float32Array;
  /** [chunk, H] and [chunk, 3H] rows side by side for a product */
  private readonly side: Float32Array;
  private readonly sideH: Float32Array;
  private readonly side3: Float32Array;
  private readonly observed: Observed;
  private readonly stretches: Stretch[] = Array.from({ length: GRU_CHUNK }, () => ({
    ...{ row: 0, from: 0, to: 0, begin: 0, at: 0 },
  }));
  private count = 0;
  private asked = 0;
  private rows = 0;
  private history: History | null = null;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: GruShape, layout: Layout, own = 0) {
    const { hidden: H, actions } = shape;
    this.shape = shape;
    this.memory = H;
    const words = Math.ceil(shape.features / 32);
    this.observed = { bits: new Uint32Array(0), at: new Int32Array(GRU_ROWS), words };
    this.layers = gruLayers(shape, layout);
    const { arrays, scratch } = gruFloats(shape, layout);
    this.kernels = makeKernels(own + arrays, scratch);
    const make = (rows: number, width: number): Float32Array => this.kernels.floats(rows * width);
    const n = gruOutputs(shape);
    const out = (this.out = make(GRU_CHUNK, n));
    const d = (this.dOut = make(GRU_CHUNK, n));
    this.logits = { out, d, first: 0, stride: n, count: actions };
    this.values = { out, d, first: actions, stride: n, count: valuesOf(shape) };
    this.X = make(GRU_ROWS, 3 * H);
    const copyBits = (r: number, to: Uint32Array, at: number): void => {
      const { bits, at: rows } = this.observed;
      for (let w = 0; w < words; w++) to[at + w] = bits[rows[r]! + w]!;
    };
    // the steps before those of a chunk are read again, too
    const ofInput = { rows: GRU_ROWS / GRU_CHUNK, words, dY: this.X, left: () => this.rows, copyBits };
    this.first = { ...this.layers[0], ...ofInput };
    this.U = make(GRU_ROWS, 3 * H);
    this.gates = [make(GRU_ROWS, H), make(GRU_ROWS, H), make(GRU_ROWS, H)];
    this.before = make(GRU_ROWS, H);
    this.after = make(GRU_ROWS, H);
    this.dH = make(GRU_ROWS, H);
    this.side = make(GRU_CHUNK, H);
    this.sideH = make(GRU_CHUNK, H);
    this.side3 = make(GRU_CHUNK, 3 * H);
    this.hidden = { out: this.side, first: 0, stride: H, count: H };
  }

  clear(): void {
    this.count = this.asked = 0;
  }

  read(history: History, row: number, t: number): void {
    this.history = history;
    const last = this.stretches[this.count - 1];
    this.asked++;
    if (this.count > 0 && last!.row === row && last!.to === t) {
      last!.to++;
      return;
    }
    const next = this.stretches[this.count++]!;
    next.row = row;
    next.from = t;
    next.to = t + 1;
  }

  forward(theta: Float32Array, from: number): void {
    const { T, recalls = false } = this.history!;
    this.weights.theta = theta;
    this.weights.from = from;
    // whoever plays has the memory of the step before at hand; all others read the episode from its beginning
    let rows = 0;
    for (let k = 0; k < this.count; k++) {
      const stretch = this.stretches[k]!;
      stretch.begin = recalls || T === 0 ? stretch.from : 0;
      stretch.at = rows;
      rows += stretch.to - stretch.begin;
    }
    if (rows <= GRU_ROWS) {
      this.rows = rows;
      this.pass(0, this.count);
    } else this.inTurns();
  }

  /** As many stretches at a time as there is room for; nothing can go back through them. */
  private inTurns(): void {
    this.rows = -1;
    let first = 0;
    while (first < this.count) {
      let [end, rows] = [first, 0];
      while (end < this.count) {
        const stretch = this.stretches[end]!;
        const own = stretch.to - stretch.begin;
        if (rows + own > GRU_ROWS) break;
        stretch.at = rows;
        rows += own;
        end++;
      }
      assert(end > first, `A recurrent network reads at most ${GRU_ROWS} steps of an episode.`);
      this.pass(first, end);
      first = end;
    }
  }

  /** Stretches first … end − 1, whose rows lie one after the other. */
  private pass(first: number, end: number): void {
    const { kernels, stretches, history, X, observed, weights, shape } = this;
    const { hidden: H } = shape;
    const { obs, T, obsWords } = history!;
    const [input, memory] = this.layers;
    let rows = 0;
    let longest = 0;
    for (let k = first; k < end; k++) {
      const { row, to, begin } = stretches[k]!;
      for (let t = begin; t < to; t++) observed.at[rows++] = (row * (T + 1) + t) * obsWords;
      longest = Math.max(longest, to - begin);
    }
    observed.bits = obs;
    kernels.sparseForward(input, weights, observed, rows, X);
    for (let j = 0; j < longest; j++) {
      let n = 0;
      for (let k = first; k < end; k++) {
        const { to, begin, at, row } = stretches[k]!;
        if (begin + j >= to) continue;
        const to_ = (at + j) * H;
        const source = j > 0 ? this.after : begin > 0 ? history!.memory! : null;
        const sourceAt = j > 0 ? to_ - H : row * H;
        for (let h = 0; h < H; h++) this.before[to_ + h] = this.side[n * H + h] = source ? source[sourceAt + h]! : 0;
        n++;
      }
      kernels.denseForward(memory, weights, this.side, n, this.side3);
      n = 0;
      for (let k = first; k < end; k++) {
        const { to, begin, at } = stretches[k]!;
        if (begin + j < to) this.cell(at + j, n++);
      }
    }
    this.head(first, end);
    const kept = history!.memory;
    for (let k = first; kept && k < end; k++) {
      const { row, to, begin, at } = stretches[k]!;
      for (let h = 0; h < H; h++) kept[row * H + h] = this.after[(at + to - 1 - begin) * H + h]!;
    }
  }

  /** h of activation row `at`, whose product with the memory is row n of the rows side by side. */
  private cell(at: number, n: number): void {
    const { X, U, before, after, side3 } = this;
    const [R, Z, G] = this.gates;
    const H = this.shape.hidden;
    for (let h = 0; h < 3 * H; h++) U[at * 3 * H + h] = side3[n * 3 * H + h]!;
    for (let h = 0; h < H; h++) {
      const x = at * 3 * H + h;
      const r = sigmoid(X[x]! + U[x]!);
      const z = sigmoid(X[x + H]! + U[x + H]!);
      const g = tanh(X[x + 2 * H]! + r * U[x + 2 * H]!);
      const k = at * H + h;
      R[k] = r;
      Z[k] = z;
      G[k] = g;
      after[k] = (1 - z) * g + z * before[k]!;
    }
  }

  /** Which of the answers is the first of stretch `first`. */
  private answersBefore(first: number): number {
    let n = 0;
    for (let k = 0; k < first; k++) n += this.stretches[k]!.to - this.stretches[k]!.from;
    return n;
  }

  /** The memory after every step that was asked for, side by side; returns how many. */
  private gather(first: number, end: number): number {
    const H = this.shape.hidden;
    let n = 0;
    for (let k = first; k < end; k++) {
      const { from, to, begin, at } = this.stretches[k]!;
      const [a, b] = [(at + from - begin) * H, (at + to - begin) * H];
      this.side.set(this.after.subarray(a, b), n * H);
      n += to - from;
    }
    return n;
  }

  private head(first: number, end: number): void {
    const head = this.layers[2];
    const n = this.gather(first, end);
    const before = this.answersBefore(first) * head.out;
    const Y = before === 0 ? this.out : this.out.subarray(before);
    this.kernels.denseForward(head, this.weights, this.side, n, Y);
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, layers: Layers = 'all'): void {
    const { kernels, shape, stretches, observed, weights, dH } = this;
    const { hidden: H, unroll } = shape;
    weights.theta = theta;
    weights.from = from;
    assert(this.rows >= 0, 'A recurrent network goes back through the steps of one chunk.');
    const [input, memory, head] = this.layers;
    const n = this.gather(0, this.count);
    kernels.denseGradient(head, gradient, this.side, this.dOut, n);
    if (layers === 'last') return;
    kernels.denseBackward(head, weights, this.dOut, n, this.sideH);
    dH.fill(0, 0, this.rows * H);
    let longest = 0;
    for (let k = 0, answer = 0; k < this.count; k++) {
      const { from: asked, to, begin, at } = stretches[k]!;
      dH.set(this.sideH.subarray(answer * H, (answer + to - asked) * H), (at + asked - begin) * H);
      answer += to - asked;
      longest = Math.max(longest, to - begin);
    }
    for (let j = longest - 1; j >= 0; j--) {
      let m = 0;
      for (let k = 0; k < this.count; k++) {
        const { to, begin, at } = stretches[k]!;
        if (begin + j < to) this.cellBackward(at + j, m++);
      }
      if (j === 0) break;
      kernels.denseBackward(memory, weights, this.side3, m, this.sideH);
      m = 0;
      for (let k = 0; k < this.count; k++) {
        const { to, begin, at } = stretches[k]!;
        if (begin + j >= to) continue;
        const isCut = unroll > 0 && (begin + j) % unroll === 0;
        if (!isCut) this.carry(at + j, m);
        m++;
      }
    }
    kernels.denseGradient(memory, gradient, this.before, this.U, this.rows);
    if (layers !== 'butFirst') kernels.sparseGradient(input, gradient, observed, this.X, this.rows);
  }

  /** Gradient by both products of activation row `at`, in their place; that of the memory's also side by side as row m. */
  private cellBackward(at: number, m: number): void {
    const { X, U, before, dH, side3 } = this;
    const [R, Z, G] = this.gates;
    const H = this.shape.hidden;
    for (let h = 0; h < H; h++) {
      const k = at * H + h;
      const x = at * 3 * H + h;
      const [r, z, g, d] = [R[k]!, Z[k]!, G[k]!, dH[k]!];
      const dg = d * (1 - z) * (1 - g * g);
      const dz = d * (before[k]! - g) * z * (1 - z);
      const dr = dg * U[x + 2 * H]! * r * (1 - r);
      X[x] = U[x] = dr;
      X[x + H] = U[x + H] = dz;
      X[x + 2 * H] = dg;
      U[x + 2 * H] = dg * r;
      for (let part = 0; part < 3; part++) side3[m * 3 * H + part * H + h] = U[x + part * H]!;
    }
  }

  /** What the memory of the step before is blamed for, through the gate and through the product. */
  private carry(at: number, m: number): void {
    const { dH, sideH } = this;
    const Z = this.gates[1];
    const H = this.shape.hidden;
    for (let h = 0; h < H; h++) dH[(at - 1) * H + h]! += dH[at * H + h]! * Z[at * H + h]! + sideH[m * H + h]!;
  }
}

export const makeGru = ({ shape, layout }: Sized<GruShape>, own: number): GruNetwork =>
  new GruNetwork(shape, layout, own);
