import { makeKernels, type Kernels } from '../../policies/kernels.ts';
import { outputs, type DenseLayout, type NetworkShape } from '../../policies/network.ts';

/** Rows worked on at once: activations of a chunk stay in the cache. */
export const CHUNK = 128;

/** Forward and backward of the whole network for up to CHUNK rows; buffers are made once. */
export class CpuNetwork {
  readonly kernels: Kernels;
  /** [CHUNK, outputs] of the last forward */
  readonly out: Float32Array;
  /** [CHUNK, outputs] gradient to fill before `backward` */
  readonly dOut: Float32Array;
  /** [CHUNK] where each row's observation starts in the bits array; fill before `forward` */
  readonly bitsAt = new Int32Array(CHUNK);
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
    const hidden = shape.hidden.reduce((sum, width) => sum + width, 0);
    const longest = Math.max(CHUNK, ...layout.widths);
    // copied in: parameters or gradient, and the observations; besides, a packed block of columns and the set bits
    const scratch = 2 * layout.size + CHUNK * this.words + 9 * longest + 32 * this.words + 200;
    this.kernels = makeKernels(own + CHUNK * (2 * outputs(shape) + 3 * hidden), scratch);
    const rows = (width: number): Float32Array => this.kernels.floats(CHUNK * width);
    this.out = rows(outputs(shape));
    this.dOut = rows(outputs(shape));
    this.Z = shape.hidden.map(rows);
    this.H = shape.hidden.map(rows);
    this.dH = shape.hidden.map(rows);
    for (let layer = 0; layer + 1 < layout.widths.length; layer++) {
      this.weightAt.push(layout.tensors.find((t) => t.layer === layer && t.kind === 'weight')!.offset);
      this.biasAt.push(layout.tensors.find((t) => t.layer === layer && t.kind === 'bias')?.offset ?? -1);
    }
  }

  /** out = network(bits) for `rows` rows, with the parameters at theta[at…]. */
  forward(theta: Float32Array, at: number, bits: Uint32Array, rows: number): void {
    const { kernels } = this;
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

  /** gradient += ∂L/∂θ, from `dOut` and the activations of the last forward on the same rows; of all layers or the last. */
  backward(
    theta: Float32Array,
    at: number,
    bits: Uint32Array,
    rows: number,
    gradient: Float32Array,
    layers: 'all' | 'last' = 'all',
  ): void {
    const { kernels } = this;
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
