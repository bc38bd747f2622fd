import type { History, Layers, Network, Outputs } from '../../contract/network.ts';
import { transformerRows } from '../kernelFloats.ts';
import type { Kernels } from '../kernels.ts';
import { valuesOf, type Layout } from '../dense/shape.ts';
import type { TransformerShape } from './shape.ts';
import { Transformer } from './transformer.ts';

/** The transformer as a network: it reads the observation after the last commands, and all prefixes after it. */
export class TransformerNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  private readonly net: Transformer;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: TransformerShape, layout: Layout, own = 0) {
    this.chunk = transformerRows(shape);
    const net = (this.net = new Transformer(shape, layout, this.chunk, own));
    this.kernels = net.kernels;
    const slots = shape.grammar.slots.length;
    const values = valuesOf(shape);
    this.logits = { out: net.logits, d: net.dLogits, first: 0, stride: slots, count: slots };
    this.values = { out: net.value, d: net.dValue, first: 0, stride: values, count: values };
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
