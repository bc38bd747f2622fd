import type { FirstLayer, History, Layers, Network, Outputs } from '../../contract/network.ts';
import { tanh } from '../../core/fmath.ts';
import { CHUNK } from '../dense/floats.ts';
import { DenseNetwork } from '../dense/denseNetwork.ts';
import { outputs } from '../dense/shape.ts';
import type { Kernels } from '../kernels.ts';
import type { Sized } from '../types.ts';
import { baseOf, deltaOf, type ResidualLayout, type ResidualShape } from './shape.ts';

/**
 * A frozen base and a bounded correction:
 *
 *   ℓ(o) = sg(ℓ_base(o)) + c·tanh(Δ_θ(o)/c)     ∂ℓ/∂Δ = 1 − tanh²(Δ/c)
 *
 * Values of a critic come from the chain of Δ and are not bounded. The gradient of the base is 0.
 */
class ResidualNetwork implements Network {
  readonly chunk = CHUNK;
  readonly kernels: Kernels;
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly first: FirstLayer;
  private readonly base: DenseNetwork;
  private readonly delta: DenseNetwork;
  private readonly bound: number;
  private readonly deltaAt: number;
  private readonly deltaSize: number;
  private rows = 0;

  constructor(shape: ResidualShape, { deltaAt }: ResidualLayout, own: number) {
    const [base, delta] = [baseOf(shape), deltaOf(shape)];
    const n = outputs(delta.shape);
    this.bound = shape.bound;
    this.deltaAt = deltaAt;
    this.deltaSize = delta.layout.size;
    this.base = new DenseNetwork(base.shape, base.layout);
    this.delta = new DenseNetwork(delta.shape, delta.layout, own + 2 * CHUNK * n);
    this.kernels = this.delta.kernels;
    const { first } = this.delta;
    const biasAt = first.biasAt < 0 ? -1 : first.biasAt + deltaAt;
    this.first = { ...first, weightAt: first.weightAt + deltaAt, biasAt };
    const [out, d] = [this.kernels.floats(CHUNK * n), this.kernels.floats(CHUNK * n)];
    this.logits = { out, d, first: 0, stride: n, count: shape.actions };
    this.values = { out, d, first: shape.actions, stride: n, count: n - shape.actions };
  }

  clear(): void {
    this.base.clear();
    this.delta.clear();
    this.rows = 0;
  }

  read(history: History, row: number, t: number): void {
    this.base.read(history, row, t);
    this.delta.read(history, row, t);
    this.rows++;
  }

  forward(theta: Float32Array, from: number): void {
    const { base, delta, bound, rows } = this;
    const { out, stride, count } = this.logits;
    base.forward(theta, from);
    delta.forward(theta, from + this.deltaAt);
    for (let k = 0; k < rows; k++) {
      for (let j = 0; j < stride; j++) {
        const x = delta.logits.out[k * stride + j]!;
        out[k * stride + j] = j < count ? base.logits.out[k * count + j]! + bound * tanh(x / bound) : x;
      }
    }
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, layers: Layers = 'all'): void {
    const { delta, bound, rows, deltaAt, deltaSize } = this;
    const { d, stride, count } = this.logits;
    for (let k = 0; k < rows; k++) {
      for (let j = 0; j < stride; j++) {
        const at = k * stride + j;
        const y = j < count ? tanh(delta.logits.out[at]! / bound) : 0;
        delta.logits.d[at] = d[at]! * (1 - y * y);
      }
    }
    delta.backward(theta, from + deltaAt, gradient.subarray(deltaAt, deltaAt + deltaSize), layers);
  }
}

/** Tells the build that this is what a run loads. */
export const makeResidual = (
  { shape, layout }: Sized<ResidualShape, ResidualLayout>,
  own: number,
): Network & { readonly kernels: Kernels } => new ResidualNetwork(shape, layout, own);
