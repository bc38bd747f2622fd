import { CHUNK, denseFloats } from '../kernelFloats.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { outputs, valuesOf, type DenseLayout, type NetworkShape } from './shape.ts';
import type { History, Layers, Network, Outputs } from '../../contract/network.ts';

/** A chain of dense layers over the bits of an observation, for up to CHUNK rows; buffers are made once. */
export class DenseNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk = CHUNK;
  /** both are parts of the same rows: logits, then values */
  readonly logits: Outputs;
  readonly values: Outputs;
  /** [CHUNK, outputs] of the last forward, and the gradient by them */
  private readonly out: Float32Array;
  private readonly dOut: Float32Array;
  private bits = new Uint32Array(0);
  /** [CHUNK] where the observation of each row starts in the bits */
  private readonly bitsAt = new Int32Array(CHUNK);
  private rows = 0;
  private readonly Z: Float32Array[];
  private readonly H: Float32Array[];
  private readonly dH: Float32Array[];
  private readonly weightAt: number[] = [];
  private readonly biasAt: number[] = [];
  private readonly shape: NetworkShape;
  private readonly layout: DenseLayout;
  private readonly words: number;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: NetworkShape, layout: DenseLayout, own = 0) {
    this.shape = shape;
    this.layout = layout;
    this.words = Math.ceil(shape.features / 32);
    const { arrays, scratch } = denseFloats(shape, layout);
    this.kernels = makeKernels(own + arrays, scratch);
    const rows = (width: number): Float32Array => this.kernels.floats(CHUNK * width);
    this.out = rows(outputs(shape));
    this.dOut = rows(outputs(shape));
    const { out, dOut: d } = this;
    const { actions } = shape;
    const stride = outputs(shape);
    this.logits = { out, d, first: 0, stride, count: actions };
    this.values = { out, d, first: actions, stride, count: valuesOf(shape) };
    this.Z = shape.hidden.map(rows);
    this.H = shape.hidden.map(rows);
    this.dH = shape.hidden.map(rows);
    for (let layer = 0; layer + 1 < layout.widths.length; layer++) {
      this.weightAt.push(layout.tensors.find((t) => t.layer === layer && t.kind === 'weight')!.offset);
      this.biasAt.push(layout.tensors.find((t) => t.layer === layer && t.kind === 'bias')?.offset ?? -1);
    }
  }

  clear(): void {
    this.rows = 0;
  }

  read({ obs, T, obsWords }: History, row: number, t: number): void {
    this.bits = obs as Uint32Array<ArrayBuffer>;
    this.bitsAt[this.rows++] = (row * (T + 1) + t) * obsWords;
  }

  forward(theta: Float32Array, at: number): void {
    const { kernels, bits, rows } = this;
    const { hidden, activation } = this.shape;
    const widths = this.layout.widths;
    for (let layer = 0; layer <= hidden.length; layer++) {
      const Y = layer === hidden.length ? this.out : this.Z[layer]!;
      const weight = at + this.weightAt[layer]!;
      const bias = this.biasAt[layer]! < 0 ? -1 : at + this.biasAt[layer]!;
      if (layer === 0) kernels.sparseForward(bits, this.bitsAt, this.words, rows, theta, weight, bias, widths[1]!, Y);
      else kernels.denseForward(this.H[layer - 1]!, rows, widths[layer]!, theta, weight, bias, widths[layer + 1]!, Y);
      if (layer < hidden.length) kernels.activate(activation, Y, rows * widths[layer + 1]!, this.H[layer]!);
    }
  }

  backward(theta: Float32Array, at: number, gradient: Float32Array, layers: Layers = 'all'): void {
    const { kernels, bits, rows } = this;
    const { hidden, activation } = this.shape;
    const widths = this.layout.widths;
    for (let layer = hidden.length; layer >= 0; layer--) {
      const dY = layer === hidden.length ? this.dOut : this.dH[layer]!;
      const width = widths[layer + 1]!;
      if (layer < hidden.length) kernels.activateBackward(activation, this.Z[layer]!, this.H[layer]!, rows * width, dY);
      const weight = this.weightAt[layer]!;
      const bias = this.biasAt[layer]!;
      if (layer === 0) {
        kernels.sparseGradient(bits, this.bitsAt, this.words, rows, dY, width, gradient, weight, bias);
      } else {
        kernels.denseGradient(this.H[layer - 1]!, dY, rows, widths[layer]!, width, gradient, weight, bias);
        if (layers === 'last') return;
        kernels.denseBackward(dY, rows, width, theta, at + weight, widths[layer]!, this.dH[layer - 1]!);
      }
    }
  }
}
