import { valuesOf, type Layout } from '../dense/shape.ts';
import { transformerFloats } from '../kernelFloats.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { gateBackward, gateForward, GateMemory, type GateAt } from './gates.ts';
import { attention, attentionAt, attentionBackward, layerNorm, layerNormBackward } from './ops.ts';
import { Sequences } from './sequence.ts';
import { headScale, longestOf, offsetsOf, positionsOf, type TransformerShape } from './shape.ts';

/** What a layer remembers. The last layer answers only at the prefixes, so its rows after attention are fewer. */
class LayerMemory {
  readonly n1: Float32Array;
  readonly unit1: Float32Array;
  readonly scale1: Float32Array;
  readonly QKV: Float32Array;
  readonly O: Float32Array;
  /** stream at the queries, and after the first gate */
  readonly x: Float32Array;
  readonly mid: Float32Array;
  readonly gate1: GateMemory;
  readonly n2: Float32Array;
  readonly unit2: Float32Array;
  readonly scale2: Float32Array;
  readonly Z: Float32Array;
  readonly H: Float32Array;
  readonly gate2: GateMemory;
  constructor(kernels: Kernels, tokens: number, queries: number, D: number, F: number) {
    const make = (rows: number, n: number): Float32Array => kernels.floats(rows * n);
    this.n1 = make(tokens, D);
    this.unit1 = make(tokens, D);
    this.scale1 = make(tokens, 1);
    this.QKV = make(tokens, 3 * D);
    this.O = make(queries, D);
    this.x = make(queries, D);
    this.mid = make(queries, D);
    this.gate1 = new GateMemory(queries, D, kernels);
    this.n2 = make(queries, D);
    this.unit2 = make(queries, D);
    this.scale2 = make(queries, 1);
    this.Z = make(queries, F);
    this.H = make(queries, F);
    this.gate2 = new GateMemory(queries, D, kernels);
  }
}

/**
 * The transformer policy on the CPU, forward and backward, for a chunk of rows. It is the definition that the WGSL
 * kernels are tested against.
 *
 *   x⁰ = E[token] + P[place]
 *   y  = gate₁(x, f(MHA(LN(x))))      x′ = gate₂(y, f(MLP(LN(y))))      f = ReLU with gates, identity without
 *   logits at prefix j, word v = scale · LN(x^L_j)·W_v + b_v             V(o) of each head at the empty prefix
 *
 * MHA is causal with a learned bias per head and distance; MLP(x) = ReLU(x W₁ + b₁) W₂ + b₂.
 */
export class Transformer {
  readonly kernels: Kernels;
  readonly seq: Sequences;
  /** [rows, slots] of the last forward, and the gradient to fill before `backward` */
  readonly logits: Float32Array;
  readonly dLogits: Float32Array;
  /** [rows, values] V(o) of each head, and its gradient */
  readonly value: Float32Array;
  readonly dValue: Float32Array;
  private readonly shape: TransformerShape;
  private readonly at: Readonly<Record<string, number>>;
  private readonly X: Float32Array[];
  private readonly memory: LayerMemory[];
  private readonly allTokens: Int32Array;
  private readonly nf: Float32Array;
  private readonly unitF: Float32Array;
  private readonly scaleF: Float32Array;
  private readonly dX: Float32Array;
  private readonly dA: Float32Array;
  private readonly dB: Float32Array;
  private readonly dH: Float32Array;
  private readonly dQKV: Float32Array;
  private readonly scratch: GateMemory;
  readonly maxRows: number;
  readonly maxTokens: number;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the transformer. */
  constructor(shape: TransformerShape, layout: Layout, rows: number, own = 0) {
    this.shape = shape;
    this.at = offsetsOf(layout);
    const { width: D, hidden: F, layers, grammar } = shape;
    const tokens = rows * longestOf(shape);
    const queries = rows * grammar.prefixes.length;
    this.maxRows = rows;
    this.maxTokens = tokens;
    const { arrays, scratch } = transformerFloats(shape, layout, rows);
    const kernels = (this.kernels = makeKernels(own + arrays, scratch));
    const make = (n: number): Float32Array => kernels.floats(n);
    this.seq = new Sequences(shape, tokens, rows);
    this.logits = new Float32Array(rows * grammar.slots.length);
    this.dLogits = new Float32Array(rows * grammar.slots.length);
    this.value = new Float32Array(rows * valuesOf(shape));
    this.dValue = new Float32Array(rows * valuesOf(shape));
    this.X = Array.from({ length: layers + 1 }, (_, l) => make((l < layers ? tokens : queries) * D));
    this.memory = Array.from(
      { length: layers },
      (_, l) => new LayerMemory(kernels, tokens, l + 1 < layers ? tokens : queries, D, F),
    );
    this.allTokens = Int32Array.from({ length: tokens }, (_, i) => i);
    this.nf = make(queries * D);
    this.unitF = make(queries * D);
    this.scaleF = make(queries);
    this.dX = make(tokens * D);
    this.dA = make(tokens * D);
    this.dB = make(tokens * D);
    this.dH = make(tokens * F);
    this.dQKV = make(tokens * 3 * D);
    this.scratch = new GateMemory(tokens, D, kernels);
  }

  private gateAt(from: number, which: 1 | 2, l: number): GateAt {
    const { at } = this;
    const of = (name: string): number => from + (at[`g${which}${name}.${l}`] ?? 0);
    return { Wy: of('Wy'), Uy: of('Uy'), Ux: of('Ux'), Ug: of('Ug'), Wx: of('Wx'), b: of('b') };
  }

  /** Queries of layer l and how many: all tokens, in the last layer the prefixes. */
  private queriesOf(l: number): [Int32Array, number] {
    const { seq, shape } = this;
    return l + 1 < shape.layers
      ? [this.allTokens, seq.count]
      : [seq.prefixAt, seq.rows * shape.grammar.prefixes.length];
  }

  /** The stream after the attention and after the whole of layer l at its queries, as the last forward left it. */
  streamOf(l: number): { readonly afterAttention: Float32Array; readonly output: Float32Array } {
    const [, count] = this.queriesOf(l);
    const { width: D } = this.shape;
    return {
      afterAttention: this.memory[l]!.mid.subarray(0, count * D),
      output: this.X[l + 1]!.subarray(0, count * D),
    };
  }

  /** What a token reads in layer l after the last forward with the same parameters. [heads, tokens of its row] */
  attentionOf(l: number, token: number, theta: Float32Array, from: number): Float32Array {
    const relAt = from + this.at[`rel.${l}`]!;
    const relative = [theta, relAt, positionsOf(this.shape)] as const;
    return attentionAt(this.seq, token, this.memory[l]!.QKV, this.shape, relative);
  }

  /** Fills `logits` and `value` for the rows in `seq`, with the parameters at theta[from …]. */
  forward(theta: Float32Array, from: number): void {
    const { seq, shape, at, X, kernels } = this;
    const { width: D, hidden: F, heads, layers, gate, grammar } = shape;
    const distances = positionsOf(shape);
    const t = (name: string): number => from + at[name]!;
    for (let i = 0; i < seq.count; i++) {
      const e = t('E') + seq.token[i]! * D;
      const p = t('P') + seq.place[i]! * D;
      for (let j = 0; j < D; j++) X[0]![i * D + j] = theta[e + j]! + theta[p + j]!;
    }
    for (let l = 0; l < layers; l++) {
      const m = this.memory[l]!;
      const [queries, count] = this.queriesOf(l);
      const gain = t(`ln1gain.${l}`);
      layerNorm(X[l]!, seq.count, D, theta, gain, t(`ln1bias.${l}`), m.n1, m.unit1, m.scale1);
      kernels.denseForward(m.n1, seq.count, D, theta, t(`Wqkv.${l}`), -1, 3 * D, m.QKV);
      attention(seq, queries, count, m.QKV, D, heads, theta, t(`rel.${l}`), distances, m.O);
      kernels.denseForward(m.O, count, D, theta, t(`Wo.${l}`), -1, D, m.gate1.y);
      if (gate !== 'none') kernels.activate('relu', m.gate1.y, count * D, m.gate1.y);
      for (let q = 0; q < count; q++) m.x.set(X[l]!.subarray(queries[q]! * D, queries[q]! * D + D), q * D);
      gateForward(gate, m.x, m.gate1, count, D, theta, this.gateAt(from, 1, l), m.mid);
      layerNorm(m.mid, count, D, theta, t(`ln2gain.${l}`), t(`ln2bias.${l}`), m.n2, m.unit2, m.scale2);
      kernels.denseForward(m.n2, count, D, theta, t(`W1.${l}`), t(`b1.${l}`), F, m.Z);
      kernels.activate('relu', m.Z, count * F, m.H);
      kernels.denseForward(m.H, count, F, theta, t(`W2.${l}`), t(`b2.${l}`), D, m.gate2.y);
      if (gate !== 'none') kernels.activate('relu', m.gate2.y, count * D, m.gate2.y);
      gateForward(gate, m.mid, m.gate2, count, D, theta, this.gateAt(from, 2, l), X[l + 1]!);
    }
    const rows = seq.rows * grammar.prefixes.length;
    layerNorm(X[layers]!, rows, D, theta, t('lnfgain'), t('lnfbias'), this.nf, this.unitF, this.scaleF);
    this.head(theta, from);
  }

  private head(theta: Float32Array, from: number): void {
    const { seq, shape, at, nf } = this;
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
      for (let h = 0; h < values; h++) {
        const w = from + at['value']! + h * D;
        let dot = theta[from + at['valuebias']! + h]!;
        for (let j = 0; j < D; j++) dot += nf[r * J * D + j]! * theta[w + j]!;
        this.value[r * values + h] = dot;
      }
    }
  }

  /** gradient += ∂L/∂θ, from `dLogits`, `dValue` and the memory of the last forward. */
  backward(theta: Float32Array, from: number, gradient: Float32Array, which: 'all' | 'last' = 'all'): void {
    const { seq, shape, at, dX, dA, dB, kernels } = this;
    const { width: D, hidden: F, heads, layers, gate, grammar } = shape;
    const distances = positionsOf(shape);
    const t = (name: string): number => from + at[name]!;
    const last = seq.rows * grammar.prefixes.length;
    this.headBackward(theta, from, gradient); // ∂ of the normalized stream into dA
    if (which === 'last') return;
    dX.fill(0, 0, last * D);
    const gainF = t('lnfgain');
    const { unitF, scaleF } = this;
    layerNormBackward(dA, last, D, theta, gainF, unitF, scaleF, dX, gradient, at['lnfgain']!, at['lnfbias']!);
    for (let l = layers - 1; l >= 0; l--) {
      const m = this.memory[l]!;
      const [queries, count] = this.queriesOf(l);
      const g = (which: 1 | 2): [GateAt, GateAt] => [this.gateAt(from, which, l), this.gateAt(0, which, l)];
      // second half: dX → dA (stream), dB (sub-layer)
      const [at2, grad2] = g(2);
      gateBackward(gate, m.mid, m.gate2, count, D, theta, at2, dX, dA, dB, gradient, grad2, this.scratch);
      if (gate !== 'none') kernels.activateBackward('relu', m.gate2.y, m.gate2.y, count * D, dB);
      kernels.denseGradient(m.H, dB, count, F, D, gradient, at[`W2.${l}`]!, at[`b2.${l}`]!);
      kernels.denseBackward(dB, count, D, theta, t(`W2.${l}`), F, this.dH);
      kernels.activateBackward('relu', m.Z, m.H, count * F, this.dH);
      kernels.denseGradient(m.n2, this.dH, count, D, F, gradient, at[`W1.${l}`]!, at[`b1.${l}`]!);
      kernels.denseBackward(this.dH, count, F, theta, t(`W1.${l}`), D, dB);
      const gain2 = at[`ln2gain.${l}`]!;
      const bias2 = at[`ln2bias.${l}`]!;
      layerNormBackward(dB, count, D, theta, from + gain2, m.unit2, m.scale2, dA, gradient, gain2, bias2);
      // first half: dA → dB (stream), dX (sub-layer)
      const [at1, grad1] = g(1);
      gateBackward(gate, m.x, m.gate1, count, D, theta, at1, dA, dB, dX, gradient, grad1, this.scratch);
      if (gate !== 'none') kernels.activateBackward('relu', m.gate1.y, m.gate1.y, count * D, dX);
      kernels.denseGradient(m.O, dX, count, D, D, gradient, at[`Wo.${l}`]!, -1);
      kernels.denseBackward(dX, count, D, theta, t(`Wo.${l}`), D, dA);
      const rel = at[`rel.${l}`]!;
      attentionBackward(
        seq,
        queries,
        count,
        m.QKV,
        D,
        heads,
        theta,
        from + rel,
        distances,
        dA,
        this.dQKV,
        gradient,
        rel,
      );
      // the stream after this layer goes back to the tokens it came from
      dX.fill(0, 0, seq.count * D);
      for (let q = 0; q < count; q++) dX.set(dB.subarray(q * D, q * D + D), queries[q]! * D);
      kernels.denseGradient(m.n1, this.dQKV, seq.count, D, 3 * D, gradient, at[`Wqkv.${l}`]!, -1);
      kernels.denseBackward(this.dQKV, seq.count, 3 * D, theta, t(`Wqkv.${l}`), D, dA);
      const gain1 = at[`ln1gain.${l}`]!;
      const bias1 = at[`ln1bias.${l}`]!;
      layerNormBackward(dA, seq.count, D, theta, from + gain1, m.unit1, m.scale1, dX, gradient, gain1, bias1);
    }
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
    const { seq, shape, at, nf, dA } = this;
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
      for (let h = 0; h < values; h++) {
        const d = this.dValue[r * values + h]!;
        const w = at['value']! + h * D;
        gradient[at['valuebias']! + h]! += d;
        for (let j = 0; j < D; j++) {
          gradient[w + j]! += d * nf[r * J * D + j]!;
          dA[r * J * D + j]! += d * theta[from + w + j]!;
        }
      }
    }
  }
}
