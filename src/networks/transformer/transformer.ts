import type { Layers } from '../../contract/network.ts';
import { valuesOf, type Layout } from '../layout.ts';
import { transformerFloats } from './floats.ts';
import type { Weights } from '../dense/linear.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { GateMemory } from './gates.ts';
import { TransformerLayer, Way } from './layer.ts';
import { Attention, LayerNorm, type Queries } from './ops.ts';
import { Sequences } from './sequence.ts';
import { headScale, longestOf, offsetsOf, positionsOf, type TransformerShape } from './shape.ts';

/**
 * The transformer policy on the CPU, forward and backward, for a chunk of rows. It is the definition that the WGSL
 * kernels are tested against.
 *
 *   x⁰ = E[token] + P[place]
 *   y  = gate₁(x, f(MHA(LN(x))))      x′ = gate₂(y, f(MLP(LN(y))))      f = ReLU with gates, identity without
 *   logits at prefix j, word v = scale · LN(x^L_j)·W_v + b_v             V(o, w) of each head at every prefix w
 *
 * MHA is causal with a learned bias per head and distance; MLP(x) = ReLU(x W₁ + b₁) W₂ + b₂.
 */
export class Transformer {
  readonly kernels: Kernels;
  readonly seq: Sequences;
  /** [rows, slots] of the last forward, and the gradient to fill before `backward` */
  readonly logits: Float32Array;
  readonly dLogits: Float32Array;
  /** [rows, prefixes, values] V(o, w) of each head after every beginning w, the empty one first, and its gradient */
  readonly value: Float32Array;
  readonly dValue: Float32Array;
  private readonly shape: TransformerShape;
  private readonly at: Readonly<Record<string, number>>;
  private readonly X: Float32Array[];
  private readonly layers: TransformerLayer<Attention>[];
  /** the tokens that ask in a layer: all, in the last layer the prefixes */
  private readonly tokens: Queries;
  private readonly prefixes: Queries;
  private readonly lastNorm: LayerNorm;
  private readonly way: Way;
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the transformer. */
  constructor(shape: TransformerShape, layout: Layout, rows: number, own = 0) {
    this.shape = shape;
    const at = (this.at = offsetsOf(layout));
    const { width: D, layers, grammar } = shape;
    const tokens = rows * longestOf(shape);
    const queries = rows * grammar.prefixes.length;
    const { arrays, scratch } = transformerFloats(shape, layout, rows);
    const kernels = (this.kernels = makeKernels(own + arrays, scratch));
    const seq = (this.seq = new Sequences(shape, tokens, rows));
    this.logits = new Float32Array(rows * grammar.slots.length);
    this.dLogits = new Float32Array(rows * grammar.slots.length);
    this.value = new Float32Array(queries * valuesOf(shape));
    this.dValue = new Float32Array(queries * valuesOf(shape));
    this.X = Array.from({ length: layers + 1 }, (_, l) => kernels.floats((l < layers ? tokens : queries) * D));
    this.tokens = { token: Int32Array.from({ length: tokens }, (_, i) => i), count: 0 };
    this.prefixes = { token: seq.prefixAt, count: 0 };
    const stack = { shape, hasReLU: shape.gate !== 'none', at, seq, kernels };
    this.layers = Array.from({ length: layers }, (_, l) => {
      const asking = l + 1 < layers ? this.tokens : this.prefixes;
      const distances = { distances: positionsOf(shape), relAt: at[`rel.${l}`]! };
      const attention = new Attention({ D, heads: shape.heads, ...distances }, seq, asking, kernels);
      return new TransformerLayer(stack, l, asking, attention);
    });
    this.lastNorm = new LayerNorm({ D, gainAt: at['lnfgain']!, biasAt: at['lnfbias']! }, queries, kernels);
    this.way = new Way(shape, tokens, new GateMemory(tokens, D, kernels), kernels);
  }

  /** [rows, prefixes, width] the normalized stream of the last forward, which answers are read from. */
  get last(): Float32Array {
    return this.lastNorm.Y;
  }

  /** The stream after the attention and after the whole of layer l at its queries, as the last forward left it. */
  streamOf(l: number): { readonly afterAttention: Float32Array; readonly output: Float32Array } {
    const { count } = l + 1 < this.layers.length ? this.tokens : this.prefixes;
    const { width: D } = this.shape;
    return {
      afterAttention: this.layers[l]!.mid.subarray(0, count * D),
      output: this.X[l + 1]!.subarray(0, count * D),
    };
  }

  /** What a token reads in layer l after the last forward, which this belongs to. [heads, tokens of its row] */
  attentionOf(l: number, token: number): Float32Array {
    return this.layers[l]!.attention.readBy(token, this.weights);
  }

  /** Fills `logits` and `value` for the rows in `seq`, with the parameters at theta[from …]. */
  forward(theta: Float32Array, from: number): void {
    const { seq, shape, at, X, layers, weights, tokens, prefixes } = this;
    const { width: D, grammar } = shape;
    weights.theta = theta;
    weights.from = from;
    tokens.count = seq.count;
    prefixes.count = seq.rows * grammar.prefixes.length;
    for (let i = 0; i < seq.count; i++) {
      const e = from + at['E']! + seq.token[i]! * D;
      const p = from + at['P']! + seq.place[i]! * D;
      for (let j = 0; j < D; j++) X[0]![i * D + j] = theta[e + j]! + theta[p + j]!;
    }
    for (let l = 0; l < layers.length; l++) layers[l]!.forward(weights, X[l]!, X[l + 1]!);
    this.lastNorm.forward(weights, X[layers.length]!, prefixes.count);
    this.head(theta, from);
  }

  private head(theta: Float32Array, from: number): void {
    const { seq, shape, at } = this;
    const { Y: nf } = this.lastNorm;
    const { width: D, grammar } = shape;
    const values = valuesOf(shape);
    const J = grammar.prefixes.length;
    const C = grammar.slots.length;
    const words = from + at[shape.tied ? 'E' : 'out']!;
    const bias = from + at['outbias']!;
    const scale = headScale(shape);
    for (let r = 0; r < seq.rows; r++) {
      for (let c = 0; c < C; c++) {
        const { node, token } = grammar.slots[c]!;
        const n = (r * J + node) * D;
        let dot = 0;
        for (let j = 0; j < D; j++) dot += nf[n + j]! * theta[words + token * D + j]!;
        this.logits[r * C + c] = scale * dot + theta[bias + token]!;
      }
    }
    for (let k = 0; k < seq.rows * J * values; k++) {
      const n = Math.floor(k / values) * D;
      const w = from + at['value']! + (k % values) * D;
      let dot = theta[from + at['valuebias']! + (k % values)]!;
      for (let j = 0; j < D; j++) dot += nf[n + j]! * theta[w + j]!;
      this.value[k] = dot;
    }
  }

  /** gradient += ∂L/∂θ, from `dLogits`, `dValue` and the memory of the last forward. */
  backward(theta: Float32Array, from: number, gradient: Float32Array, which: Layers = 'all'): void {
    const { seq, shape, at, way, layers, weights, prefixes } = this;
    const { width: D } = shape;
    const { stream: dX } = way;
    weights.theta = theta;
    weights.from = from;
    this.headBackward(theta, from, gradient); // ∂ of the normalized stream into dA
    if (which === 'last') return;
    dX.fill(0, 0, prefixes.count * D);
    this.lastNorm.backward(weights, gradient, way.dA, prefixes.count, dX);
    for (let l = layers.length - 1; l >= 0; l--) layers[l]!.backward(weights, gradient, way);
    for (let i = 0; i < seq.count; i++) {
      const e = at['E']! + seq.token[i]! * D;
      const p = at['P']! + seq.place[i]! * D;
      for (let j = 0; j < D; j++) {
        gradient[e + j]! += dX[i * D + j]!;
        gradient[p + j]! += dX[i * D + j]!;
      }
    }
  }

  /** ∂ of the normalized stream at the prefixes into dA; gradients of the head. */
  private headBackward(theta: Float32Array, from: number, gradient: Float32Array): void {
    const { seq, shape, at } = this;
    const { Y: nf } = this.lastNorm;
    const { dA } = this.way;
    const { width: D, grammar } = shape;
    const values = valuesOf(shape);
    const J = grammar.prefixes.length;
    const C = grammar.slots.length;
    const words = at[shape.tied ? 'E' : 'out']!;
    const bias = at['outbias']!;
    const scale = headScale(shape);
    dA.fill(0, 0, seq.rows * J * D);
    for (let r = 0; r < seq.rows; r++) {
      for (let c = 0; c < C; c++) {
        const d = this.dLogits[r * C + c]!;
        if (d === 0) continue;
        const { node, token } = grammar.slots[c]!;
        const n = (r * J + node) * D;
        const w = words + token * D;
        gradient[bias + token]! += d;
        for (let j = 0; j < D; j++) {
          gradient[w + j]! += scale * d * nf[n + j]!;
          dA[n + j]! += scale * d * theta[from + w + j]!;
        }
      }
    }
    for (let k = 0; k < seq.rows * J * values; k++) {
      const d = this.dValue[k]!;
      if (d === 0) continue;
      const n = Math.floor(k / values) * D;
      const h = k % values;
      const w = at['value']! + h * D;
      gradient[at['valuebias']! + h]! += d;
      for (let j = 0; j < D; j++) {
        gradient[w + j]! += d * nf[n + j]!;
        dA[n + j]! += d * theta[from + w + j]!;
      }
    }
  }
}
