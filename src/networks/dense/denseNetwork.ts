import { linear, type Linear, type Observed, type Weights } from './linear.ts';
import { CHUNK, denseFloats } from './floats.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { valuesOf } from '../layout.ts';
import { outputs, type DenseLayout, type NetworkShape } from './shape.ts';
import type { FirstLayer, History, Layers, Network, Outputs } from '../../contract/network.ts';

/** A chain of dense layers over the bits of an observation, for up to CHUNK rows; buffers are made once. */
export class DenseNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk = CHUNK;
  /** both are parts of the same rows: logits, then values */
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly hidden?: Omit<Outputs, 'd'>;
  readonly first: FirstLayer;
  /** [CHUNK, outputs] of the last forward, and the gradient by them */
  private readonly out: Float32Array;
  private readonly dOut: Float32Array;
  private readonly observed: Observed;
  private rows = 0;
  private readonly Z: Float32Array[];
  private readonly H: Float32Array[];
  private readonly dH: Float32Array[];
  private readonly layers: Linear[] = [];
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };
  private readonly shape: NetworkShape;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: NetworkShape, layout: DenseLayout, own = 0) {
    this.shape = shape;
    const words = Math.ceil(shape.features / 32);
    this.observed = { bits: new Uint32Array(0), at: new Int32Array(CHUNK), words };
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
    const width = shape.hidden.at(-1);
    if (width !== undefined) this.hidden = { out: this.H.at(-1)!, first: 0, stride: width, count: width };
    for (let layer = 0; layer + 1 < layout.widths.length; layer++) {
      const offset = (kind: 'weight' | 'bias'): number =>
        layout.tensors.find((t) => t.layer === layer && t.kind === kind)?.offset ?? -1;
      this.layers.push(linear(layout.widths[layer]!, layout.widths[layer + 1]!, offset('weight'), offset('bias')));
    }
    const { observed } = this;
    const copyBits = (n: number, out: Uint32Array, at: number): void => {
      for (let w = 0, k = observed.at[n]!; w < words; w++) out[at + w] = observed.bits[k + w]!;
    };
    this.first = { ...this.layers[0]!, rows: 1, words, dY: this.dH[0] ?? this.dOut, copyBits };
  }

  depths(): readonly Float32Array[] {
    const row = Math.max(0, this.rows - 1);
    return this.shape.hidden.map((width, k) => this.H[k]!.subarray(row * width, (row + 1) * width));
  }

  clear(): void {
    this.rows = 0;
  }

  read({ obs, T, obsWords }: History, row: number, t: number): void {
    this.observed.bits = obs;
    this.observed.at[this.rows++] = (row * (T + 1) + t) * obsWords;
  }

  forward(theta: Float32Array, from: number): void {
    const { kernels, rows, layers, weights, observed } = this;
    const { activation } = this.shape;
    weights.theta = theta;
    weights.from = from;
    const last = layers.length - 1;
    for (let k = 0; k <= last; k++) {
      const layer = layers[k]!;
      const Y = k === last ? this.out : this.Z[k]!;
      if (k === 0) kernels.sparseForward(layer, weights, observed, rows, Y);
      else kernels.denseForward(layer, weights, this.H[k - 1]!, rows, Y);
      if (k < last) kernels.activate(activation, Y, rows * layer.out, this.H[k]!);
    }
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, which: Layers = 'all'): void {
    const { kernels, rows, layers, weights, observed } = this;
    const { activation } = this.shape;
    weights.theta = theta;
    weights.from = from;
    const last = layers.length - 1;
    for (let k = last; k >= 0; k--) {
      const layer = layers[k]!;
      const dY = k === last ? this.dOut : this.dH[k]!;
      if (k < last) kernels.activateBackward(activation, this.Z[k]!, this.H[k]!, rows * layer.out, dY);
      if (k === 0) {
        if (which !== 'butFirst') kernels.sparseGradient(layer, gradient, observed, dY, rows);
      } else {
        kernels.denseGradient(layer, gradient, this.H[k - 1]!, dY, rows);
        if (which === 'last') return;
        kernels.denseBackward(layer, weights, dY, rows, this.dH[k - 1]!);
      }
    }
  }
}
