import type { History, Layers, Network, Outputs } from '../../contract/network.ts';
import { assert } from '../../core/assert.ts';
import { linear, type Linear, type Observed, type Weights } from '../dense/linear.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { valuesOf, type Layout } from '../layout.ts';
import { GateMemory } from '../transformer/gates.ts';
import { TransformerLayer, Way } from '../transformer/layer.ts';
import { offsetsOf } from '../transformer/shape.ts';
import type { Sized } from '../types.ts';
import { SummaryAttention, Tokens } from './attention.ts';
import {
  MEMO_CHUNK,
  MEMO_STEPS,
  memoFloats,
  memoOutputs,
  memoryOf,
  rowsOf,
  segmentsOf,
  slotsOf,
  summaryFloats,
  type MemoShape,
} from './shape.ts';

/** Steps from … to − 1 of one trajectory, asked for one after the other, whose answers begin at `answer`. */
type Stretch = { row: number; from: number; to: number; answer: number };
/** One segment of a stretch as rows: at …, S of the summary before it where `hasPrefix`, steps from … to − 1, S of its own where `writes`. */
type Part = {
  slot: number;
  segment: number;
  at: number;
  hasPrefix: boolean;
  from: number;
  to: number;
  writes: boolean;
};

/**
 * A transformer that sums up its steps in tokens of its own (Memo, arXiv 2510.19732), and a linear head.
 *
 *   x⁰_t = b + Σ W[f,:] over the set bits f of o_t           out_t = d + x^layers_t·V
 *   y = g₁(x, f(MHA(LN(x))))      x′ = g₂(y, f(MLP(LN(y))))         for each layer, f = ReLU with gates, identity without
 *
 * Step t belongs to segment ⌊t / L⌋. S learned tokens stand after the last step of a segment; what the last layer makes of them
 * is read as input tokens by the next K segments: their sequence is [earlier summaries; steps; own summary], causal, with a
 * learned bias per head and distance in it. Nothing else is read of earlier segments. K = 1: each summary takes the place of
 * the one before. The gradient flows through all summaries, to the first step of the episode.
 *
 * Where a segment ends is the same while playing and while learning. The code jitters L while learning only, which would move
 * ratios without a change of weights. Summaries are computed anew under the parameters at hand; while an episode is played,
 * `History.recalls` says that keys and values of each layer are.
 */
export class MemoNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk = MEMO_CHUNK;
  readonly memory: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly hidden: Omit<Outputs, 'd'>;
  private readonly shape: MemoShape;
  private readonly input: Linear;
  private readonly head: Linear;
  private readonly summaryAt: number;
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };
  private readonly tokens: Tokens;
  private readonly observed: Observed;
  /** [rows, D] the stream before each layer and after the last one; inputs of steps side by side, and the row of each */
  private readonly X: readonly Float32Array[];
  private readonly steps: Float32Array;
  private readonly rowOf: Int32Array;
  private readonly layers: readonly TransformerLayer<SummaryAttention>[];
  private readonly way: Way;
  /** of the episodes that are read from their beginning: keys and values of all summaries, and the summaries [slots, segments + 1, S, D] */
  private readonly kept: Float32Array;
  private readonly dKept: Float32Array;
  private readonly summaries: Float32Array;
  private readonly dSummaries: Float32Array;
  /** [chunk, D] the stream at the steps that were asked for, and its gradient */
  private readonly side: Float32Array;
  private readonly dSide: Float32Array;
  private readonly stretches: Stretch[] = Array.from({ length: MEMO_CHUNK }, () => ({
    ...{ row: 0, from: 0, to: 0, answer: 0 },
  }));
  private readonly parts: Part[] = [];
  private count = 0;
  private asked = 0;
  private history: History | null = null;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: MemoShape, layout: Layout, own = 0) {
    const { width: D, layers, actions, features, gate } = shape;
    const rows = rowsOf(shape);
    const at = offsetsOf(layout);
    this.shape = shape;
    this.memory = memoryOf(shape);
    this.input = linear(features, D, at['in']!, at['inbias']!);
    this.head = linear(D, memoOutputs(shape), at['out']!, at['outbias']!);
    this.summaryAt = at['summary']!;
    const { arrays, scratch } = memoFloats(shape, layout);
    const kernels = (this.kernels = makeKernels(own + arrays, scratch));
    const n = memoOutputs(shape);
    const out = kernels.floats(MEMO_CHUNK * n);
    const d = kernels.floats(MEMO_CHUNK * n);
    this.logits = { out, d, first: 0, stride: n, count: actions };
    this.values = { out, d, first: actions, stride: n, count: valuesOf(shape) };
    this.observed = { bits: new Uint32Array(0), at: new Int32Array(rows), words: Math.ceil(features / 32) };
    this.X = Array.from({ length: layers + 1 }, () => kernels.floats(rows * D));
    this.steps = kernels.floats(rows * D);
    this.rowOf = new Int32Array(rows);
    const tokens = (this.tokens = new Tokens(rows));
    const stack = { shape, hasReLU: gate !== 'none', at, seq: tokens, kernels };
    this.layers = Array.from({ length: layers }, (_, l) => {
      const attention = new SummaryAttention(shape, tokens, { l, relAt: at[`rel.${l}`]! }, kernels);
      return new TransformerLayer(stack, l, tokens, attention);
    });
    this.way = new Way(shape, rows, new GateMemory(rows, D, kernels), kernels);
    const [slots, segments] = [slotsOf(shape), segmentsOf(shape)];
    this.kept = kernels.floats(slots * summaryFloats(shape, segments));
    this.dKept = kernels.floats(slots * summaryFloats(shape, segments));
    this.summaries = kernels.floats(slots * (segments + 1) * shape.summary * D);
    this.dSummaries = kernels.floats(slots * (segments + 1) * shape.summary * D);
    this.side = kernels.floats(MEMO_CHUNK * D);
    this.hidden = { out: this.side, first: 0, stride: D, count: D };
    this.dSide = kernels.floats(MEMO_CHUNK * D);
  }

  /** What the last step of the last forward read, and whether it wrote a summary. */
  context(): { segment: number; summaries: number; steps: number; writes: boolean } {
    const part = this.parts.at(-1)!;
    const { segment, writes } = part;
    return { segment, writes, ...this.layers[0]!.attention.counts(this.endOf(part) - 1) };
  }

  clear(): void {
    this.count = this.asked = 0;
  }

  read(history: History, row: number, t: number): void {
    this.history = history;
    const last = this.stretches[this.count - 1];
    this.asked++;
    if (last?.row === row && last.to === t) {
      last.to++;
      return;
    }
    const next = this.stretches[this.count++]!;
    next.row = row;
    next.from = t;
    next.to = t + 1;
    next.answer = this.asked - 1;
  }

  forward(theta: Float32Array, from: number): void {
    this.weights.theta = theta;
    this.weights.from = from;
    this.inTurns((first, end) => this.pass(first, end));
    this.kernels.denseForward(this.head, this.weights, this.side, this.asked, this.logits.out);
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, layers: Layers = 'all'): void {
    const { kernels, weights, side, dSide, head, asked, logits, history } = this;
    assert(!history!.recalls || history!.T === 0, 'A gradient needs the steps before those that are asked about.');
    weights.theta = theta;
    weights.from = from;
    kernels.denseGradient(head, gradient, side, logits.d, asked);
    if (layers === 'last') return;
    kernels.denseBackward(head, weights, logits.d, asked, dSide);
    // where one turn was enough, what it left is still there
    this.inTurns((first, end) => {
      if (first > 0 || end < this.count) this.pass(first, end);
      this.back(first, end, gradient);
    });
  }

  /** As many stretches at a time as there is room for. */
  private inTurns(turn: (first: number, end: number) => void): void {
    const most = this.isPlayed ? Math.floor(rowsOf(this.shape) / (1 + 2 * this.shape.summary)) : slotsOf(this.shape);
    for (let first = 0; first < this.count; first += most) turn(first, Math.min(this.count, first + most));
  }

  /** Are the steps before at hand? */
  private get isPlayed(): boolean {
    const { T, recalls = false } = this.history!;
    return recalls && T > 0;
  }

  /** Stretches first … end − 1, one segment after the other. */
  private pass(first: number, end: number): void {
    const { history, tokens } = this;
    if (this.isPlayed) {
      tokens.store = history!.memory!;
      tokens.ring = this.shape.keep;
      this.segment(first, end, 0);
      this.remember(first);
      return;
    }
    tokens.store = this.kept;
    tokens.ring = segmentsOf(this.shape);
    for (let s = 0; s < this.segmentsIn(first, end); s++) {
      this.segment(first, end, s);
      this.keep();
      if (history!.memory) this.remember(first);
    }
  }

  private segmentsIn(first: number, end: number): number {
    let longest = 0;
    for (let k = first; k < end; k++) longest = Math.max(longest, this.stretches[k]!.to);
    assert(longest <= MEMO_STEPS, `A network with summaries reads at most ${MEMO_STEPS} steps of an episode.`);
    return Math.ceil(longest / this.shape.segment);
  }

  /** Segment s of the stretches, or of those that are played the one that they are in: the stream after the last layer. */
  private segment(first: number, end: number, s: number): void {
    const { kernels, observed, weights, tokens, X, steps, rowOf, layers } = this;
    const { width: D } = this.shape;
    observed.bits = this.history!.obs;
    const n = this.lay(first, end, s);
    kernels.sparseForward(this.input, weights, observed, n, steps);
    for (let i = 0; i < n; i++) X[0]!.set(steps.subarray(i * D, (i + 1) * D), rowOf[i]! * D);
    layers.forEach((layer, l) => layer.forward(weights, X[l]!, X[l + 1]!));
    const out = X[layers.length]!;
    for (const { slot, at, hasPrefix, from, to } of this.parts) {
      const { from: a, answer } = this.stretches[first + slot]!;
      const shift = at + (hasPrefix ? this.shape.summary : 0) - from;
      for (let t = Math.max(a, from); t < to; t++)
        this.side.set(out.subarray((shift + t) * D, (shift + t + 1) * D), (answer + t - a) * D);
    }
    assert(tokens.count <= rowsOf(this.shape), 'Tokens of a segment have no room.');
  }

  /** Lays the rows of a segment, with the inputs of all but the steps; returns how many steps there are. */
  private lay(first: number, end: number, s: number): number {
    const { history, tokens, observed, parts, rowOf, shape, X, weights } = this;
    const { segment: L, summary: S, width: D } = shape;
    const { T, obsWords, memory } = history!;
    const isPlayed = this.isPlayed;
    parts.length = tokens.count = 0;
    let steps = 0;
    for (let k = first; k < end; k++) {
      const stretch = this.stretches[k]!;
      const slot = k - first;
      const segment = isPlayed ? Math.floor(stretch.from / L) : s;
      const from = isPlayed ? stretch.from : s * L;
      const to = Math.min(stretch.to, (segment + 1) * L);
      if (from >= to) continue;
      assert(!isPlayed || stretch.to === stretch.from + 1, 'Episodes are played step by step.');
      const at = tokens.count;
      const hasPrefix = segment > 0 && from === segment * L;
      const writes = to === (segment + 1) * L && (stretch.to > to || memory !== undefined);
      parts.push({ slot, segment, at, hasPrefix, from, to, writes });
      const memoryAt = stretch.row * this.memory;
      const add = (place: number): void => {
        const r = tokens.count++;
        tokens.place[r] = place;
        tokens.segment[r] = segment;
        tokens.first[r] = at;
        tokens.remembered[r] = from - segment * L;
        tokens.summariesAt[r] = isPlayed ? memoryAt : slot * summaryFloats(shape, segmentsOf(shape));
        tokens.stepsAt[r] = memoryAt + summaryFloats(shape, shape.keep);
      };
      if (hasPrefix) {
        const [source, begin] = isPlayed
          ? [memory!, memoryAt + this.memory - S * D]
          : [this.summaries, this.summaryOf(slot, segment)];
        X[0]!.set(source.subarray(begin, begin + S * D), at * D);
        for (let j = -S; j < 0; j++) add(j);
      }
      for (let t = from; t < to; t++) {
        rowOf[steps] = tokens.count;
        observed.at[steps++] = (stretch.row * (T + 1) + t) * obsWords;
        add(t - segment * L);
      }
      if (!writes) continue;
      const begin = weights.from + this.summaryAt;
      X[0]!.set(weights.theta.subarray(begin, begin + S * D), tokens.count * D);
      for (let j = 0; j < S; j++) add(L + j);
    }
    return steps;
  }

  /** Where the summary that segment s begins with is in `summaries`. */
  private summaryOf(slot: number, s: number): number {
    return (slot * (segmentsOf(this.shape) + 1) + s) * this.shape.summary * this.shape.width;
  }

  /** First row of the summary that a part ends with. */
  private endOf({ at, hasPrefix, from, to }: Part): number {
    return at + (hasPrefix ? this.shape.summary : 0) + to - from;
  }

  /** What later segments read of this one. */
  private keep(): void {
    const { parts, layers, X, shape } = this;
    const { summary: S, width: D } = shape;
    for (const part of parts) {
      const { slot, segment, at, hasPrefix, writes } = part;
      const begin = slot * summaryFloats(shape, segmentsOf(shape));
      if (hasPrefix) this.copySummary(at, segment, this.kept, begin);
      if (!writes) continue;
      const r = this.endOf(part);
      this.summaries.set(X[layers.length]!.subarray(r * D, (r + S) * D), this.summaryOf(slot, segment + 1));
    }
  }

  /** Keys and values of each layer, of the summary that a segment begins with, to their place. */
  private copySummary(at: number, segment: number, to: Float32Array, begin: number, ring = this.tokens.ring): void {
    const { summary: S, width: D } = this.shape;
    this.layers.forEach(({ attention: { QKV } }, l) => {
      for (let j = 0; j < S; j++) {
        const r = (at + j) * 3 * D;
        to.set(QKV.subarray(r + D, r + 3 * D), begin + ((l * ring + (segment % ring)) * S + j) * 2 * D);
      }
    });
  }

  /** What whoever plays an episode needs for its next step. */
  private remember(first: number): void {
    const { parts, layers, X, shape, history } = this;
    const { segment: L, summary: S, width: D, keep } = shape;
    const memory = history!.memory!;
    for (const part of parts) {
      const { slot, segment, at, hasPrefix, from, to, writes } = part;
      const stretch = this.stretches[first + slot]!;
      const memoryAt = stretch.row * this.memory;
      if (hasPrefix) this.copySummary(at, segment, memory, memoryAt, keep);
      if (stretch.to !== to) continue;
      const stepsAt = memoryAt + summaryFloats(shape, keep);
      const shift = this.endOf(part) - to;
      layers.forEach(({ attention: { QKV } }, l) => {
        for (let t = from; t < to; t++) {
          const r = (shift + t) * 3 * D;
          memory.set(QKV.subarray(r + D, r + 3 * D), stepsAt + (l * L + t - segment * L) * 2 * D);
        }
      });
      if (!writes) continue;
      const r = this.endOf(part);
      memory.set(X[layers.length]!.subarray(r * D, (r + S) * D), memoryAt + this.memory - S * D);
    }
  }

  /** From ∂ of the answers of stretches first … end − 1 back through all of their segments, the last one first. */
  private back(first: number, end: number, gradient: Float32Array): void {
    const { kernels, weights, tokens, way, observed, steps, rowOf, shape, dSide, dSummaries } = this;
    const { width: D, summary: S } = shape;
    this.dKept.fill(0);
    tokens.dStore = this.dKept;
    const last = this.segmentsIn(first, end) - 1;
    for (let s = last; s >= 0; s--) {
      if (s < last) this.segment(first, end, s);
      way.stream.fill(0, 0, tokens.count * D);
      for (const part of this.parts) {
        const { slot, at, hasPrefix, from, to } = part;
        const stretch = this.stretches[first + slot]!;
        const shift = at + (hasPrefix ? S : 0) - from;
        for (let t = Math.max(stretch.from, from); t < to; t++) {
          const answer = (stretch.answer + t - stretch.from) * D;
          way.stream.set(dSide.subarray(answer, answer + D), (shift + t) * D);
        }
        if (stretch.to <= to) continue;
        const after = this.summaryOf(slot, s + 1);
        way.stream.set(dSummaries.subarray(after, after + S * D), this.endOf(part) * D);
      }
      for (let l = this.layers.length - 1; l >= 0; l--) this.layers[l]!.backward(weights, gradient, way);
      const n = this.stepsOf();
      for (let i = 0; i < n; i++) steps.set(way.stream.subarray(rowOf[i]! * D, (rowOf[i]! + 1) * D), i * D);
      kernels.sparseGradient(this.input, gradient, observed, steps, n);
      for (const part of this.parts) {
        const { slot, at, hasPrefix, writes } = part;
        if (hasPrefix) dSummaries.set(way.stream.subarray(at * D, (at + S) * D), this.summaryOf(slot, s));
        if (!writes) continue;
        const r = this.endOf(part) * D;
        for (let j = 0; j < S * D; j++) gradient[this.summaryAt + j]! += way.stream[r + j]!;
      }
    }
  }

  /** Steps among the rows at hand. */
  private stepsOf(): number {
    return this.parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }
}

export const makeMemo = ({ shape, layout }: Sized<MemoShape>, own: number): MemoNetwork =>
  new MemoNetwork(shape, layout, own);
