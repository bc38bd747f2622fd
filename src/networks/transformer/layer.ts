import { linear, type Linear, type Weights } from '../dense/linear.ts';
import type { Kernels } from '../kernels.ts';
import { GateLayer, type GateAt, type GateGradients, type GateMemory } from './gates.ts';
import { LayerNorm, type Queries } from './ops.ts';
import type { LayerShape } from './shape.ts';

/** What all layers of a transformer work with: widths, where every tensor begins, and the tokens at hand. */
export type Stack = {
  readonly shape: LayerShape;
  /** does a ReLU come before each gate? */
  readonly hasReLU: boolean;
  readonly at: Readonly<Record<string, number>>;
  readonly seq: Readonly<Queries>;
  readonly kernels: Kernels;
};

/** Who reads what, and how it is weighed: from queries, keys and values of all tokens to what each query gets. */
export type Attends = {
  /** [tokens, 3D] queries, keys and values, to be filled before `forward` */
  readonly QKV: Float32Array;
  /** [queries, D] */
  readonly O: Float32Array;
  /** [tokens, 3D] after `backward`, gradient by keys and values that were read as a memory: it teaches the layer's products, and no stream before them */
  readonly dStored?: Float32Array;
  forward(weights: Weights): void;
  /** dQKV (overwritten) and the gradient of its own tensors from dO */
  backward(weights: Weights, gradient: Float32Array, dO: Float32Array, dQKV: Float32Array): void;
};

/** Gradients that the layers share on their way back. `stream` is ∂ of a layer's output, and then of its input. */
export class Way {
  readonly stream: Float32Array;
  readonly dA: Float32Array;
  readonly dB: Float32Array;
  readonly dH: Float32Array;
  readonly dQKV: Float32Array;
  readonly scratch: GateMemory;
  /** of the second gate and of the first one, which turn by turn free an array for the other */
  readonly second: GateGradients;
  readonly first: GateGradients;

  constructor({ width: D, hidden: F }: LayerShape, tokens: number, scratch: GateMemory, kernels: Kernels) {
    this.stream = kernels.floats(tokens * D);
    this.dA = kernels.floats(tokens * D);
    this.dB = kernels.floats(tokens * D);
    this.dH = kernels.floats(tokens * F);
    this.dQKV = kernels.floats(tokens * 3 * D);
    this.scratch = scratch;
    this.second = { out: this.stream, x: this.dA, y: this.dB };
    this.first = { out: this.dA, x: this.dB, y: this.stream };
  }
}

/**
 * One layer with what it remembers. The last layer answers only at the prefixes, so its rows after attention are fewer.
 *
 *   y = gate₁(x, f(MHA(LN(x))))     x′ = gate₂(y, f(MLP(LN(y))))     f = ReLU with gates, identity without
 */
export class TransformerLayer<A extends Attends> {
  readonly attention: A;
  /** [queries, D] the stream at the queries, and after the first gate */
  private readonly x: Float32Array;
  readonly mid: Float32Array;
  private readonly norm1: LayerNorm;
  private readonly norm2: LayerNorm;
  private readonly gate1: GateLayer;
  private readonly gate2: GateLayer;
  /** [queries, F] hidden layer of the MLP, before and after its activation */
  private readonly Z: Float32Array;
  private readonly H: Float32Array;
  private readonly Wqkv: Linear;
  private readonly Wo: Linear;
  private readonly W1: Linear;
  private readonly W2: Linear;
  private readonly queries: Queries;
  private readonly stack: Stack;

  constructor(stack: Stack, l: number, queries: Queries, attention: A) {
    this.stack = stack;
    this.queries = queries;
    this.attention = attention;
    const { shape, at, seq, kernels } = stack;
    const { width: D, hidden: F, gate } = shape;
    const rows = queries.token.length;
    const tokens = seq.token.length;
    const norm = (which: 1 | 2, count: number): LayerNorm =>
      new LayerNorm({ D, gainAt: at[`ln${which}gain.${l}`]!, biasAt: at[`ln${which}bias.${l}`]! }, count, kernels);
    const gateAt = (which: 1 | 2): GateAt => {
      const of = (name: string): number => at[`g${which}${name}.${l}`] ?? -1;
      return { Wy: of('Wy'), Uy: of('Uy'), Ux: of('Ux'), Ug: of('Ug'), Wx: of('Wx'), b: of('b') };
    };
    this.Wqkv = linear(D, 3 * D, at[`Wqkv.${l}`]!);
    this.Wo = linear(D, D, at[`Wo.${l}`]!);
    this.W1 = linear(D, F, at[`W1.${l}`]!, at[`b1.${l}`]!);
    this.W2 = linear(F, D, at[`W2.${l}`]!, at[`b2.${l}`]!);
    this.norm1 = norm(1, tokens);
    this.x = kernels.floats(rows * D);
    this.mid = kernels.floats(rows * D);
    this.gate1 = new GateLayer(gate, D, gateAt(1), rows, kernels);
    this.norm2 = norm(2, rows);
    this.Z = kernels.floats(rows * F);
    this.H = kernels.floats(rows * F);
    this.gate2 = new GateLayer(gate, D, gateAt(2), rows, kernels);
  }

  /** From the stream X of all tokens to `out` at the queries. */
  forward(weights: Weights, X: Float32Array, out: Float32Array): void {
    const { stack, x, mid, norm1, norm2, attention, gate1, gate2, Z, H } = this;
    const { seq, kernels, hasReLU } = stack;
    const { width: D, hidden: F } = stack.shape;
    const { token, count } = this.queries;
    norm1.forward(weights, X, seq.count);
    kernels.denseForward(this.Wqkv, weights, norm1.Y, seq.count, attention.QKV);
    attention.forward(weights);
    const { y: attended } = gate1.memory;
    kernels.denseForward(this.Wo, weights, attention.O, count, attended);
    if (hasReLU) kernels.activate('relu', attended, count * D, attended);
    for (let q = 0; q < count; q++) x.set(X.subarray(token[q]! * D, token[q]! * D + D), q * D);
    gate1.forward(weights, x, count, mid);
    norm2.forward(weights, mid, count);
    kernels.denseForward(this.W1, weights, norm2.Y, count, Z);
    kernels.activate('relu', Z, count * F, H);
    const { y: computed } = gate2.memory;
    kernels.denseForward(this.W2, weights, H, count, computed);
    if (hasReLU) kernels.activate('relu', computed, count * D, computed);
    gate2.forward(weights, mid, count, out);
  }

  /** From ∂ of the output at the queries, in `way.stream`, to ∂ of X in its place. */
  backward(weights: Weights, gradient: Float32Array, way: Way): void {
    const { stack, norm1, norm2, attention, gate1, gate2, Z, H } = this;
    const { seq, kernels, hasReLU } = stack;
    const { width: D, hidden: F } = stack.shape;
    const { token, count } = this.queries;
    const { stream, dA, dB, dH, dQKV, scratch } = way;
    // second half: stream → dA (stream), dB (sub-layer)
    gate2.backward(weights, gradient, way.second, scratch);
    const { y: computed } = gate2.memory;
    if (hasReLU) kernels.activateBackward('relu', computed, computed, count * D, dB);
    kernels.denseGradient(this.W2, gradient, H, dB, count);
    kernels.denseBackward(this.W2, weights, dB, count, dH);
    kernels.activateBackward('relu', Z, H, count * F, dH);
    kernels.denseGradient(this.W1, gradient, norm2.Y, dH, count);
    kernels.denseBackward(this.W1, weights, dH, count, dB);
    norm2.backward(weights, gradient, dB, count, dA);
    // first half: dA → dB (stream), stream (sub-layer)
    gate1.backward(weights, gradient, way.first, scratch);
    const { y: attended } = gate1.memory;
    if (hasReLU) kernels.activateBackward('relu', attended, attended, count * D, stream);
    kernels.denseGradient(this.Wo, gradient, attention.O, stream, count);
    kernels.denseBackward(this.Wo, weights, stream, count, dA);
    attention.backward(weights, gradient, dA, dQKV);
    // the stream after this layer goes back to the tokens it came from
    stream.fill(0, 0, seq.count * D);
    for (let q = 0; q < count; q++) stream.set(dB.subarray(q * D, q * D + D), token[q]! * D);
    kernels.denseGradient(this.Wqkv, gradient, norm1.Y, dQKV, seq.count);
    kernels.denseBackward(this.Wqkv, weights, dQKV, seq.count, dA);
    norm1.backward(weights, gradient, dA, seq.count, stream);
    const { dStored } = attention;
    if (!dStored) return;
    kernels.denseGradient(this.Wqkv, gradient, norm1.Y, dStored, seq.count);
    kernels.denseBackward(this.Wqkv, weights, dStored, seq.count, dA);
    norm1.backward(weights, gradient, dA, seq.count, dB);
  }
}
