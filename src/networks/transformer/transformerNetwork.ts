import type { History, Layers, Network, Outputs } from '../../contract/network.ts';
import { transformerRows } from './floats.ts';
import type { Kernels } from '../kernels.ts';
import { valuesOf, type Layout } from '../layout.ts';
import type { TransformerShape } from './shape.ts';
import type { Reading, ReadRow, Sized } from '../types.ts';
import { Transformer } from './transformer.ts';

/** The transformer as a network: it reads the observation after the last commands, and all prefixes after it. */
export class TransformerNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  /** where the first word is written, before any is: the empty prefix */
  readonly hidden: Omit<Outputs, 'd'>;
  private readonly net: Transformer;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: TransformerShape, layout: Layout, own = 0) {
    this.chunk = transformerRows(shape);
    const net = (this.net = new Transformer(shape, layout, this.chunk, own));
    this.kernels = net.kernels;
    const slots = shape.grammar.slots.length;
    const values = valuesOf(shape);
    const { width: D } = shape;
    this.hidden = { out: net.last, first: 0, stride: D * shape.grammar.prefixes.length, count: D };
    const stride = values * shape.grammar.prefixes.length;
    this.logits = { out: net.logits, d: net.dLogits, first: 0, stride: slots, count: slots };
    this.values = { out: net.value, d: net.dValue, first: 0, stride, count: values, perPrefix: values };
  }

  clear(): void {
    this.net.seq.clear();
  }

  read({ obs, written, T, obsWords }: History, row: number, t: number): void {
    this.net.seq.add(obs, (row * (T + 1) + t) * obsWords, written, row * T, t);
  }

  forward(theta: Float32Array, from: number): void {
    this.net.forward(theta, from);
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, layers: Layers = 'all'): void {
    this.net.backward(theta, from, gradient, layers);
  }
}

export const makeTransformer = ({ shape, layout }: Sized<TransformerShape>, own: number): TransformerNetwork =>
  new TransformerNetwork(shape, layout, own);

/** Forward for one step, and what every head reads at the empty prefix. */
export function readingOf(
  { shape, layout }: Sized<TransformerShape>,
  theta: Float32Array,
  { obs, written, from, t }: ReadRow,
): Reading {
  const net = new Transformer(shape, layout, 1);
  net.seq.clear();
  net.seq.add(obs, 0, written, from, t);
  net.forward(theta, 0);
  const query = net.seq.prefixAt[0]!;
  const count = query + 1;
  const all = net.seq.count;
  const { layers, heads } = shape;
  const attention = new Float32Array(layers * heads * count);
  for (let l = 0; l < layers; l++) {
    const weights = net.attentionOf(l, query);
    for (let h = 0; h < heads; h++) attention.set(weights.subarray(h * all, h * all + count), (l * heads + h) * count);
  }
  return { tokens: net.seq.token.slice(0, count), layers, heads, attention };
}
