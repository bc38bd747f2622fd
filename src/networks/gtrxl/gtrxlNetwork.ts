import type { History, Layers, LookedBack, Network, Outputs } from '../../contract/network.ts';
import { assert } from '../../core/assert.ts';
import type { Linear, Observed, Weights } from '../dense/linear.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { valuesOf, type Layout } from '../layout.ts';
import { GateMemory } from '../transformer/gates.ts';
import { TransformerLayer, Way } from '../transformer/layer.ts';
import { offsetsOf } from '../transformer/shape.ts';
import type { Sized } from '../types.ts';
import {
  endsOf,
  GTRXL_CHUNK,
  gtrxlFloats,
  gtrxlOutputs,
  memoryOf,
  reachOf,
  readsOf,
  rowsOf,
  type GtrxlShape,
} from './shape.ts';
import { Window, WindowAttention } from './window.ts';

/** Steps from … to − 1 of one trajectory, asked for one after the other: rows at … of the activations, from step `begin` on. */
type Stretch = { row: number; from: number; to: number; begin: number; at: number };

/**
 * A gated transformer over the steps of an episode (GTrXL, Parisotto et al., arXiv 1910.06764), and a linear head.
 *
 *   x⁰_t = b + Σ W[f,:] over the set bits f of o_t
 *   y  = g₁(x, ReLU(MHA(LN(x))))      x′ = g₂(y, ReLU(MLP(LN(y))))            for each layer       out = d + x^L_t·V
 *
 * Step t belongs to segment ⌊t / L⌋. It attends to the steps of its segment up to itself and to the M steps before the
 * segment, with a learned bias per head and distance. What a layer reads of the M steps are its stored inputs: no gradient
 * goes back to what computed them. Queries are normalized too, and so is nothing but the input of each sub-layer.
 *
 * So that ratios are those of the parameters at hand, inputs of earlier segments are computed anew, from as many steps back as
 * count. While an episode is played, `History.recalls` says that they are at hand, as keys and values of each layer.
 */
export class GtrxlNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk = GTRXL_CHUNK;
  readonly memory: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly hidden: Omit<Outputs, 'd'>;
  private readonly shape: GtrxlShape;
  private readonly input: Linear;
  private readonly head: Linear;
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };
  private readonly window: Window;
  private readonly observed: Observed;
  /** [rows, D] the stream before each layer and after the last one */
  private readonly X: readonly Float32Array[];
  private readonly layers: readonly TransformerLayer<WindowAttention>[];
  private readonly way: Way;
  /** [chunk, D] the stream at the steps that were asked for, and its gradient */
  private readonly side: Float32Array;
  private readonly dSide: Float32Array;
  private readonly stretches: Stretch[] = Array.from({ length: GTRXL_CHUNK }, () => ({
    ...{ row: 0, from: 0, to: 0, begin: 0, at: 0 },
  }));
  private count = 0;
  private history: History | null = null;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: GtrxlShape, layout: Layout, own = 0) {
    const { width: D, layers, actions, features } = shape;
    const rows = rowsOf(shape);
    const at = offsetsOf(layout);
    this.shape = shape;
    this.memory = memoryOf(shape);
    [this.input, this.head] = endsOf(shape, at);
    const { arrays, scratch } = gtrxlFloats(shape, layout);
    const kernels = (this.kernels = makeKernels(own + arrays, scratch));
    const n = gtrxlOutputs(shape);
    const out = kernels.floats(GTRXL_CHUNK * n);
    const d = kernels.floats(GTRXL_CHUNK * n);
    this.logits = { out, d, first: 0, stride: n, count: actions };
    this.values = { out, d, first: actions, stride: n, count: valuesOf(shape) };
    this.observed = { bits: new Uint32Array(0), at: new Int32Array(rows), words: Math.ceil(features / 32) };
    this.X = Array.from({ length: layers + 1 }, () => kernels.floats(rows * D));
    const window = (this.window = new Window(shape, rows));
    const dStored = kernels.floats(rows * 3 * D);
    const stack = { shape, hasReLU: true, at, seq: window, kernels };
    this.layers = Array.from({ length: layers }, (_, l) => {
      const attention = new WindowAttention(shape, window, { l, relAt: at[`rel.${l}`]! }, dStored, kernels);
      return new TransformerLayer(stack, l, window, attention);
    });
    this.way = new Way(shape, rows, new GateMemory(rows, D, kernels), kernels);
    this.side = kernels.floats(GTRXL_CHUNK * D);
    this.hidden = { out: this.side, first: 0, stride: D, count: D };
    this.dSide = kernels.floats(GTRXL_CHUNK * D);
  }

  depths(): readonly Float32Array[] {
    const { width: D } = this.shape;
    const row = Math.max(0, this.window.count - 1);
    return this.X.slice(1).map((x) => x.subarray(row * D, (row + 1) * D));
  }

  lookedBack(): LookedBack {
    const { window, weights, layers } = this;
    const r = window.count - 1;
    const shares: number[] = [];
    for (const { attention } of layers) attention.addShares(weights, r, shares);
    const first = window.t[r]! - (r - window.first[r]!);
    return { layers: layers.length, heads: this.shape.heads, first, shares: Float32Array.from(shares) };
  }

  clear(): void {
    this.count = 0;
  }

  read(history: History, row: number, t: number): void {
    this.history = history;
    const last = this.stretches[this.count - 1];
    if (last?.row === row && last.to === t) {
      last.to++;
      return;
    }
    const next = this.stretches[this.count++]!;
    next.row = row;
    next.from = t;
    next.to = t + 1;
  }

  forward(theta: Float32Array, from: number): void {
    this.weights.theta = theta;
    this.weights.from = from;
    this.inTurns((first, end, answered) => this.pass(first, end, answered));
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, layers: Layers = 'all'): void {
    this.weights.theta = theta;
    this.weights.from = from;
    // where one turn was enough, what it left is still there
    this.inTurns((first, end, answered) => {
      if (first > 0 || end < this.count) this.pass(first, end, answered);
      this.back(first, end, gradient, { answered, layers });
    });
  }

  /** As many stretches at a time as there is room for, with all steps before them that count; `answered`: steps asked for before. */
  private inTurns(turn: (first: number, end: number, answered: number) => void): void {
    const { stretches, count, shape, history } = this;
    const { T, recalls = false } = history!;
    const most = rowsOf(shape);
    const reads = readsOf(shape);
    let answered = 0;
    for (let first = 0; first < count;) {
      let [end, rows, asked] = [first, 0, 0];
      while (end < count) {
        const stretch = stretches[end]!;
        // whoever plays has the steps before at hand
        stretch.begin = recalls || T === 0 ? stretch.from : Math.max(0, stretch.from - reads);
        stretch.at = rows;
        if (rows + stretch.to - stretch.begin > most) break;
        rows += stretch.to - stretch.begin;
        asked += stretch.to - stretch.from;
        end++;
      }
      turn(first, end, answered);
      answered += asked;
      first = end;
    }
  }

  /** Stretches first … end − 1, whose rows lie one after the other. */
  private pass(first: number, end: number, answered: number): void {
    const { kernels, stretches, history, observed, weights, window, X, layers } = this;
    const { obs, T, obsWords, memory, recalls = false } = history!;
    window.count = 0;
    if (memory) window.memory = memory;
    for (let k = first; k < end; k++) {
      const { row, to, begin, at } = stretches[k]!;
      for (let t = begin; t < to; t++) observed.at[at + t - begin] = (row * (T + 1) + t) * obsWords;
      window.add(row, begin, to, recalls);
    }
    observed.bits = obs;
    kernels.sparseForward(this.input, weights, observed, window.count, X[0]!);
    layers.forEach((layer, l) => layer.forward(weights, X[l]!, X[l + 1]!));
    const n = this.gather(first, end);
    const { out, stride } = this.logits;
    kernels.denseForward(this.head, weights, this.side, n, answered === 0 ? out : out.subarray(answered * stride));
    if (memory) for (let k = first; k < end; k++) this.keep(stretches[k]!, memory);
  }

  /** The stream after the last layer at every step that was asked for, side by side; returns how many. */
  private gather(first: number, end: number): number {
    const { width: D, layers } = this.shape;
    let n = 0;
    for (let k = first; k < end; k++) {
      const { from, to, begin, at } = this.stretches[k]!;
      this.side.set(this.X[layers]!.subarray((at + from - begin) * D, (at + to - begin) * D), n * D);
      n += to - from;
    }
    return n;
  }

  /** Keys and values of the last steps of a stretch, where those of their distance are kept. */
  private keep({ row, begin, to, at }: Stretch, memory: Float32Array): void {
    const { width: D } = this.shape;
    const kept = reachOf(this.shape);
    this.layers.forEach(({ attention: { QKV } }, l) => {
      for (let t = Math.max(begin, to - kept); t < to; t++) {
        const r = (at + t - begin) * 3 * D;
        memory.set(QKV.subarray(r + D, r + 3 * D), row * this.memory + (l * kept + (t % kept)) * 2 * D);
      }
    });
  }

  private back(
    first: number,
    end: number,
    gradient: Float32Array,
    { answered, layers }: { readonly answered: number; readonly layers: Layers },
  ): void {
    const { kernels, weights, window, observed, stretches, way, side, dSide, head } = this;
    const { width: D } = this.shape;
    const { recalls = false, T } = this.history!;
    assert(!recalls || T === 0, 'A gradient needs the steps before those that are asked about.');
    const { d, stride } = this.logits;
    const dOut = answered === 0 ? d : d.subarray(answered * stride);
    const n = this.gather(first, end);
    kernels.denseGradient(head, gradient, side, dOut, n);
    if (layers === 'last') return;
    kernels.denseBackward(head, weights, dOut, n, dSide);
    way.stream.fill(0, 0, window.count * D);
    let answer = 0;
    for (let k = first; k < end; k++) {
      const { from, to, begin, at } = stretches[k]!;
      way.stream.set(dSide.subarray(answer * D, (answer + to - from) * D), (at + from - begin) * D);
      answer += to - from;
    }
    for (let l = this.layers.length - 1; l >= 0; l--) this.layers[l]!.backward(weights, gradient, way);
    kernels.sparseGradient(this.input, gradient, observed, way.stream, window.count);
  }
}

export const makeGtrxl = ({ shape, layout }: Sized<GtrxlShape>, own: number): GtrxlNetwork =>
  new GtrxlNetwork(shape, layout, own);
