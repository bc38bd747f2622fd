import { exp, tanh } from '../../core/fmath.ts';
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

/** Where a gate's tensors lie. */
export type GateAt = { readonly [name: string]: number };

/** What one gate remembers between forward and backward, for `rows` rows of width D, and what computes its products. */
export class GateMemory {
  readonly kernels: Kernels;
  /** sub-layer output, products of y and of x, r or g, z, h, r ⊙ x */
  readonly y: Float32Array;
  readonly py: Float32Array;
  readonly px: Float32Array;
  readonly r: Float32Array;
  readonly z: Float32Array;
  readonly h: Float32Array;
  readonly rx: Float32Array;
  readonly pg: Float32Array;
  constructor(rows: number, D: number, kernels = plainKernels) {
    this.kernels = kernels;
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

/** out = gate(x, memory.y) */
export function gateForward(
  gate: Gate,
  x: Float32Array,
  m: GateMemory,
  rows: number,
  D: number,
  theta: Float32Array,
  at: GateAt,
  out: Float32Array,
): void {
  const n = rows * D;
  const { y, r, z, h, kernels } = m;
  if (gate === 'none') {
    for (let k = 0; k < n; k++) out[k] = x[k]! + y[k]!;
  } else if (gate === 'gru') {
    kernels.denseForward(y, rows, D, theta, at['Wy']!, -1, 3 * D, m.py);
    kernels.denseForward(x, rows, D, theta, at['Ux']!, -1, 2 * D, m.px);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < D; j++) {
        const k = i * D + j;
        r[k] = sigmoid(m.py[i * 3 * D + j]! + m.px[i * 2 * D + j]!);
        z[k] = sigmoid(m.py[i * 3 * D + D + j]! + m.px[i * 2 * D + D + j]! - theta[at['b']! + j]!);
        m.rx[k] = r[k]! * x[k]!;
      }
    }
    kernels.denseForward(m.rx, rows, D, theta, at['Ug']!, -1, D, m.pg);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < D; j++) {
        const k = i * D + j;
        h[k] = tanh(m.py[i * 3 * D + 2 * D + j]! + m.pg[k]!);
        out[k] = (1 - z[k]!) * x[k]! + z[k]! * h[k]!;
      }
    }
  } else if (gate === 'sigtanh') {
    kernels.denseForward(y, rows, D, theta, at['Wy']!, -1, D, m.pg);
    kernels.denseForward(y, rows, D, theta, at['Uy']!, -1, D, m.rx);
    for (let k = 0; k < n; k++) {
      z[k] = sigmoid(m.pg[k]! - theta[at['b']! + (k % D)]!);
      h[k] = tanh(m.rx[k]!);
      out[k] = x[k]! + z[k]! * h[k]!;
    }
  } else {
    kernels.denseForward(x, rows, D, theta, at['Wx']!, -1, D, m.pg);
    for (let k = 0; k < n; k++) {
      const b = gate === 'input' ? 0 : theta[at['b']! + (k % D)]!;
      z[k] = sigmoid(m.pg[k]! + (gate === 'output' ? -b : b));
      if (gate === 'input') out[k] = z[k]! * x[k]! + y[k]!;
      else if (gate === 'output') out[k] = x[k]! + z[k]! * y[k]!;
      else out[k] = z[k]! * x[k]! + (1 - z[k]!) * y[k]!;
    }
  }
}

/** dx and dy (both overwritten) from dOut; gradients of the gate's tensors are added. `s` is scratch of the same rows. */
export function gateBackward(
  gate: Gate,
  x: Float32Array,
  m: GateMemory,
  rows: number,
  D: number,
  theta: Float32Array,
  at: GateAt,
  dOut: Float32Array,
  dx: Float32Array,
  dy: Float32Array,
  gradient: Float32Array,
  g: GateAt,
  s: GateMemory,
): void {
  const n = rows * D;
  const { y, r, z, h, kernels } = m;
  if (gate === 'none') {
    for (let k = 0; k < n; k++) dx[k] = dy[k] = dOut[k]!;
  } else if (gate === 'gru') {
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
        gradient[g['b']! + j]! -= dz;
      }
    }
    kernels.denseGradient(m.rx, s.pg, rows, D, D, gradient, g['Ug']!, -1);
    kernels.denseBackward(s.pg, rows, D, theta, at['Ug']!, D, s.rx);
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
    kernels.denseGradient(y, s.py, rows, D, 3 * D, gradient, g['Wy']!, -1);
    kernels.denseGradient(x, s.px, rows, D, 2 * D, gradient, g['Ux']!, -1);
    kernels.denseBackward(s.py, rows, 3 * D, theta, at['Wy']!, D, dy);
    kernels.denseBackward(s.px, rows, 2 * D, theta, at['Ux']!, D, s.rx);
    for (let k = 0; k < n; k++) dx[k]! += s.rx[k]!;
  } else if (gate === 'sigtanh') {
    for (let k = 0; k < n; k++) {
      const d = dOut[k]!;
      dx[k] = d;
      s.pg[k] = d * h[k]! * z[k]! * (1 - z[k]!);
      s.rx[k] = d * z[k]! * (1 - h[k]! * h[k]!);
      gradient[g['b']! + (k % D)]! -= s.pg[k]!;
    }
    kernels.denseGradient(y, s.pg, rows, D, D, gradient, g['Wy']!, -1);
    kernels.denseGradient(y, s.rx, rows, D, D, gradient, g['Uy']!, -1);
    kernels.denseBackward(s.pg, rows, D, theta, at['Wy']!, D, dy);
    kernels.denseBackward(s.rx, rows, D, theta, at['Uy']!, D, s.y);
    for (let k = 0; k < n; k++) dy[k]! += s.y[k]!;
  } else {
    for (let k = 0; k < n; k++) {
      const d = dOut[k]!;
      const slope = z[k]! * (1 - z[k]!);
      if (gate === 'input') {
        dx[k] = d * z[k]!;
        dy[k] = d;
        s.pg[k] = d * x[k]! * slope;
      } else if (gate === 'output') {
        dx[k] = d;
        dy[k] = d * z[k]!;
        s.pg[k] = d * y[k]! * slope;
        gradient[g['b']! + (k % D)]! -= s.pg[k]!;
      } else {
        dx[k] = d * z[k]!;
        dy[k] = d * (1 - z[k]!);
        s.pg[k] = d * (x[k]! - y[k]!) * slope;
        gradient[g['b']! + (k % D)]! += s.pg[k]!;
      }
    }
    kernels.denseGradient(x, s.pg, rows, D, D, gradient, g['Wx']!, -1);
    kernels.denseBackward(s.pg, rows, D, theta, at['Wx']!, D, s.rx);
    for (let k = 0; k < n; k++) dx[k]! += s.rx[k]!;
  }
}
