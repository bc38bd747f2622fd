import { exp, tanh } from '../../core/fmath.ts';
import { linear, type Linear, type Weights } from '../dense/linear.ts';
import { plainKernels, type Kernels } from '../kernels.ts';
import type { Gate } from './shape.ts';

/**
 * Gates that join a sub-layer's output y to the stream x (GTrXL, arXiv 1910.06764; gru form as in RLlib and agalite):
 *
 *   input    σ(x W) ⊙ x + y              output   x + σ(x W − b) ⊙ y
 *   highway  g ⊙ x + (1 − g) ⊙ y, g = σ(x W + b)
 *   sigtanh  x + σ(y W − b) ⊙ tanh(y U)
 *   gru      r = σ(y W_r + x U_r), z = σ(y W_z + x U_z − b), h = tanh(y W_g + (r ⊙ x) U_g), (1 − z) ⊙ x + z ⊙ h
 *
 * With a large b all but `input` pass x on at the start: a fresh agent is nearly memoryless.
 */
export const sigmoid = (x: number): number => 1 / (1 + exp(-x));

/** Where the tensors that a gate has begin in the parameters. */
export type GateAt = Readonly<Partial<Record<'Wy' | 'Uy' | 'Ux' | 'Ug' | 'Wx' | 'b', number>>>;

/** Arrays of a gate for `rows` rows of width D: what it remembers between forward and backward, or scratch of the way back. */
export class GateMemory {
  /** sub-layer output, products of y and of x, r or g, z, h, r ⊙ x */
  readonly y: Float32Array;
  readonly py: Float32Array;
  readonly px: Float32Array;
  readonly r: Float32Array;
  readonly z: Float32Array;
  readonly h: Float32Array;
  readonly rx: Float32Array;
  readonly pg: Float32Array;
  constructor(rows: number, D: number, kernels: Kernels) {
    const make = (n: number): Float32Array => kernels.floats(rows * n);
    this.y = make(D);
    this.py = make(3 * D);
    this.px = make(2 * D);
    this.r = make(D);
    this.z = make(D);
    this.h = make(D);
    this.rx = make(D);
    this.pg = make(D);
  }
}

/** Gradients by the output, the stream and the sub-layer's output of a gate. */
export type GateGradients = { readonly out: Float32Array; readonly x: Float32Array; readonly y: Float32Array };

/** One gate with its products and its memory. */
export class GateLayer {
  readonly memory: GateMemory;
  private readonly kind: Gate;
  private readonly D: number;
  private readonly kernels: Kernels;
  private readonly Wy: Linear;
  private readonly Uy: Linear;
  private readonly Ux: Linear;
  private readonly Ug: Linear;
  private readonly Wx: Linear;
  private readonly biasAt: number;
  /** the stream and its rows in the last forward */
  private x: Float32Array = new Float32Array(0);
  private rows = 0;

  constructor(kind: Gate, D: number, at: GateAt, rows: number, kernels = plainKernels) {
    this.kind = kind;
    this.D = D;
    this.kernels = kernels;
    this.memory = new GateMemory(rows, D, kernels);
    const product = (weightAt: number | undefined, columns: number): Linear => linear(D, columns * D, weightAt ?? -1);
    this.Wy = product(at.Wy, kind === 'gru' ? 3 : 1);
    this.Uy = product(at.Uy, 1);
    this.Ux = product(at.Ux, 2);
    this.Ug = product(at.Ug, 1);
    this.Wx = product(at.Wx, 1);
    this.biasAt = at.b ?? -1;
  }

  /** out = gate(x, memory.y) */
  forward(weights: Weights, x: Float32Array, rows: number, out: Float32Array): void {
    this.x = x;
    this.rows = rows;
    const { kind, D, kernels } = this;
    const { y, py, px, r, z, h, rx, pg } = this.memory;
    const { theta } = weights;
    const b = weights.from + this.biasAt;
    const n = rows * D;
    if (kind === 'none') {
      for (let k = 0; k < n; k++) out[k] = x[k]! + y[k]!;
    } else if (kind === 'gru') {
      kernels.denseForward(this.Wy, weights, y, rows, py);
      kernels.denseForward(this.Ux, weights, x, rows, px);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < D; j++) {
          const k = i * D + j;
          r[k] = sigmoid(py[i * 3 * D + j]! + px[i * 2 * D + j]!);
          z[k] = sigmoid(py[i * 3 * D + D + j]! + px[i * 2 * D + D + j]! - theta[b + j]!);
          rx[k] = r[k]! * x[k]!;
        }
      }
      kernels.denseForward(this.Ug, weights, rx, rows, pg);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < D; j++) {
          const k = i * D + j;
          h[k] = tanh(py[i * 3 * D + 2 * D + j]! + pg[k]!);
          out[k] = (1 - z[k]!) * x[k]! + z[k]! * h[k]!;
        }
      }
    } else if (kind === 'sigtanh') {
      kernels.denseForward(this.Wy, weights, y, rows, pg);
      kernels.denseForward(this.Uy, weights, y, rows, rx);
      for (let k = 0; k < n; k++) {
        z[k] = sigmoid(pg[k]! - theta[b + (k % D)]!);
        h[k] = tanh(rx[k]!);
        out[k] = x[k]! + z[k]! * h[k]!;
      }
    } else {
      kernels.denseForward(this.Wx, weights, x, rows, pg);
      for (let k = 0; k < n; k++) {
        const shift = kind === 'input' ? 0 : theta[b + (k % D)]!;
        z[k] = sigmoid(pg[k]! + (kind === 'output' ? -shift : shift));
        if (kind === 'input') out[k] = z[k]! * x[k]! + y[k]!;
        else if (kind === 'output') out[k] = x[k]! + z[k]! * y[k]!;
        else out[k] = z[k]! * x[k]! + (1 - z[k]!) * y[k]!;
      }
    }
  }

  /** d.x and d.y (both overwritten) from d.out; gradients of the tensors are added. `s` is scratch of as many rows. */
  backward(weights: Weights, gradient: Float32Array, d: GateGradients, s: GateMemory): void {
    const { kind, D, kernels, x, rows, biasAt: b } = this;
    const { y, r, z, h, rx } = this.memory;
    const { out: dOut, x: dx, y: dy } = d;
    const n = rows * D;
    if (kind === 'none') {
      for (let k = 0; k < n; k++) dx[k] = dy[k] = dOut[k]!;
    } else if (kind === 'gru') {
      // s.py = ∂ of the three sums; s.pg = ∂ h's sum; s.rx = ∂ (r ⊙ x)
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < D; j++) {
          const k = i * D + j;
          const d = dOut[k]!;
          const dz = d * (h[k]! - x[k]!) * z[k]! * (1 - z[k]!);
          const dh = d * z[k]! * (1 - h[k]! * h[k]!);
          dx[k] = d * (1 - z[k]!);
          s.py[i * 3 * D + D + j] = dz;
          s.py[i * 3 * D + 2 * D + j] = dh;
          s.pg[k] = dh;
          gradient[b + j]! -= dz;
        }
      }
      kernels.denseGradient(this.Ug, gradient, rx, s.pg, rows);
      kernels.denseBackward(this.Ug, weights, s.pg, rows, s.rx);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < D; j++) {
          const k = i * D + j;
          dx[k]! += s.rx[k]! * r[k]!;
          const dr = s.rx[k]! * x[k]! * r[k]! * (1 - r[k]!);
          s.py[i * 3 * D + j] = dr;
          s.px[i * 2 * D + j] = dr;
          s.px[i * 2 * D + D + j] = s.py[i * 3 * D + D + j]!;
        }
      }
      kernels.denseGradient(this.Wy, gradient, y, s.py, rows);
      kernels.denseGradient(this.Ux, gradient, x, s.px, rows);
      kernels.denseBackward(this.Wy, weights, s.py, rows, dy);
      kernels.denseBackward(this.Ux, weights, s.px, rows, s.rx);
      for (let k = 0; k < n; k++) dx[k]! += s.rx[k]!;
    } else if (kind === 'sigtanh') {
      for (let k = 0; k < n; k++) {
        const d = dOut[k]!;
        dx[k] = d;
        s.pg[k] = d * h[k]! * z[k]! * (1 - z[k]!);
        s.rx[k] = d * z[k]! * (1 - h[k]! * h[k]!);
        gradient[b + (k % D)]! -= s.pg[k]!;
      }
      kernels.denseGradient(this.Wy, gradient, y, s.pg, rows);
      kernels.denseGradient(this.Uy, gradient, y, s.rx, rows);
      kernels.denseBackward(this.Wy, weights, s.pg, rows, dy);
      kernels.denseBackward(this.Uy, weights, s.rx, rows, s.y);
      for (let k = 0; k < n; k++) dy[k]! += s.y[k]!;
    } else {
      for (let k = 0; k < n; k++) {
        const d = dOut[k]!;
        const slope = z[k]! * (1 - z[k]!);
        if (kind === 'input') {
          dx[k] = d * z[k]!;
          dy[k] = d;
          s.pg[k] = d * x[k]! * slope;
        } else if (kind === 'output') {
          dx[k] = d;
          dy[k] = d * z[k]!;
          s.pg[k] = d * y[k]! * slope;
          gradient[b + (k % D)]! -= s.pg[k]!;
        } else {
          dx[k] = d * z[k]!;
          dy[k] = d * (1 - z[k]!);
          s.pg[k] = d * (x[k]! - y[k]!) * slope;
          gradient[b + (k % D)]! += s.pg[k]!;
        }
      }
      kernels.denseGradient(this.Wx, gradient, x, s.pg, rows);
      kernels.denseBackward(this.Wx, weights, s.pg, rows, s.rx);
      for (let k = 0; k < n; k++) dx[k]! += s.rx[k]!;
    }
  }
}
