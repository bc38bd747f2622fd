import { exp, log, tanh } from '../core/fmath.ts';
import type { Activation } from './network.ts';

/**
 * Dense layers over typed arrays: the CPU form of the network. Rows are samples, matrices row-major.
 * Four rows are worked on at a time, so that a weight loaded once is used four times; the order of additions is
 * fixed, so equal inputs give equal bits in every engine.
 */

/** Y[r,:] = b + Σ over the set bits f of row r of W[f,:].   bits [rows, words]   W [F, out]   Y [rows, out] */
export function sparseForward(
  bits: Uint32Array,
  bitsAt: Int32Array,
  words: number,
  rows: number,
  theta: Float32Array,
  weightAt: number,
  biasAt: number,
  out: number,
  Y: Float32Array,
): void {
  for (let r = 0; r < rows; r++) {
    const y = r * out;
    if (biasAt >= 0) for (let j = 0; j < out; j++) Y[y + j] = theta[biasAt + j]!;
    else Y.fill(0, y, y + out);
    for (let w = 0; w < words; w++) {
      let word = bits[bitsAt[r]! + w]!;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        word &= word - 1;
        const from = weightAt + (w * 32 + bit) * out;
        for (let j = 0; j < out; j++) Y[y + j]! += theta[from + j]!;
      }
    }
  }
}

/** gradient[W[f,:]] += Σ over rows with bit f of dY[r,:]; gradient[b] += Σ dY. */
export function sparseGradient(
  bits: Uint32Array,
  bitsAt: Int32Array,
  words: number,
  rows: number,
  dY: Float32Array,
  out: number,
  gradient: Float32Array,
  weightAt: number,
  biasAt: number,
): void {
  for (let r = 0; r < rows; r++) {
    const d = r * out;
    if (biasAt >= 0) for (let j = 0; j < out; j++) gradient[biasAt + j]! += dY[d + j]!;
    for (let w = 0; w < words; w++) {
      let word = bits[bitsAt[r]! + w]!;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        word &= word - 1;
        const to = weightAt + (w * 32 + bit) * out;
        for (let j = 0; j < out; j++) gradient[to + j]! += dY[d + j]!;
      }
    }
  }
}

/** Y = X·W + b.   X [rows, in]   W [in, out]   Y [rows, out] */
export function denseForward(
  X: Float32Array,
  rows: number,
  inputs: number,
  theta: Float32Array,
  weightAt: number,
  biasAt: number,
  out: number,
  Y: Float32Array,
): void {
  let r = 0;
  for (; r + 4 <= rows; r += 4) {
    const y0 = r * out;
    const y1 = y0 + out;
    const y2 = y1 + out;
    const y3 = y2 + out;
    for (let j = 0; j < out; j++) {
      const b = biasAt >= 0 ? theta[biasAt + j]! : 0;
      Y[y0 + j] = b;
      Y[y1 + j] = b;
      Y[y2 + j] = b;
      Y[y3 + j] = b;
    }
    for (let i = 0; i < inputs; i++) {
      const x0 = X[r * inputs + i]!;
      const x1 = X[(r + 1) * inputs + i]!;
      const x2 = X[(r + 2) * inputs + i]!;
      const x3 = X[(r + 3) * inputs + i]!;
      const from = weightAt + i * out;
      for (let j = 0; j < out; j++) {
        const w = theta[from + j]!;
        Y[y0 + j]! += x0 * w;
        Y[y1 + j]! += x1 * w;
        Y[y2 + j]! += x2 * w;
        Y[y3 + j]! += x3 * w;
      }
    }
  }
  for (; r < rows; r++) {
    const y = r * out;
    for (let j = 0; j < out; j++) Y[y + j] = biasAt >= 0 ? theta[biasAt + j]! : 0;
    for (let i = 0; i < inputs; i++) {
      const x = X[r * inputs + i]!;
      const from = weightAt + i * out;
      for (let j = 0; j < out; j++) Y[y + j]! += x * theta[from + j]!;
    }
  }
}

/** dX = dY·Wᵀ.   dY [rows, out]   dX [rows, in] */
export function denseBackward(
  dY: Float32Array,
  rows: number,
  out: number,
  theta: Float32Array,
  weightAt: number,
  inputs: number,
  dX: Float32Array,
): void {
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < inputs; i++) {
      const from = weightAt + i * out;
      let total = 0;
      for (let j = 0; j < out; j++) total += dY[r * out + j]! * theta[from + j]!;
      dX[r * inputs + i] = total;
    }
  }
}

/** gradient[W] += Xᵀ·dY, gradient[b] += Σ_r dY[r,:]. */
export function denseGradient(
  X: Float32Array,
  dY: Float32Array,
  rows: number,
  inputs: number,
  out: number,
  gradient: Float32Array,
  weightAt: number,
  biasAt: number,
): void {
  let r = 0;
  for (; r + 4 <= rows; r += 4) {
    const d0 = r * out;
    const d1 = d0 + out;
    const d2 = d1 + out;
    const d3 = d2 + out;
    for (let i = 0; i < inputs; i++) {
      const x0 = X[r * inputs + i]!;
      const x1 = X[(r + 1) * inputs + i]!;
      const x2 = X[(r + 2) * inputs + i]!;
      const x3 = X[(r + 3) * inputs + i]!;
      const to = weightAt + i * out;
      for (let j = 0; j < out; j++) {
        gradient[to + j]! += x0 * dY[d0 + j]! + x1 * dY[d1 + j]! + x2 * dY[d2 + j]! + x3 * dY[d3 + j]!;
      }
    }
  }
  for (; r < rows; r++) {
    for (let i = 0; i < inputs; i++) {
      const x = X[r * inputs + i]!;
      const to = weightAt + i * out;
      for (let j = 0; j < out; j++) gradient[to + j]! += x * dY[r * out + j]!;
    }
  }
  if (biasAt >= 0)
    for (let k = 0; k < rows; k++) for (let j = 0; j < out; j++) gradient[biasAt + j]! += dY[k * out + j]!;
}

const GELU = 0.7978845608028654; // sqrt(2/π)
const CUBIC = 0.044715;

/** H = act(Z). gelu is the tanh form (Hendrycks and Gimpel, arXiv 1606.08415). */
export function activate(kind: Activation, Z: Float32Array, count: number, H: Float32Array): void {
  if (kind === 'relu') for (let k = 0; k < count; k++) H[k] = Z[k]! > 0 ? Z[k]! : 0;
  else if (kind === 'tanh') for (let k = 0; k < count; k++) H[k] = tanh(Z[k]!);
  else
    for (let k = 0; k < count; k++) {
      const z = Z[k]!;
      H[k] = 0.5 * z * (1 + tanh(GELU * (z + CUBIC * z * z * z)));
    }
}

/** dZ = dH · act′(Z), in place in dH. */
export function activateBackward(
  kind: Activation,
  Z: Float32Array,
  H: Float32Array,
  count: number,
  dH: Float32Array,
): void {
  if (kind === 'relu') {
    for (let k = 0; k < count; k++) if (!(Z[k]! > 0)) dH[k] = 0;
  } else if (kind === 'tanh') {
    for (let k = 0; k < count; k++) dH[k]! *= 1 - H[k]! * H[k]!;
  } else {
    for (let k = 0; k < count; k++) {
      const z = Z[k]!;
      const y = tanh(GELU * (z + CUBIC * z * z * z));
      dH[k]! *= 0.5 * (1 + y) + 0.5 * z * (1 - y * y) * GELU * (1 + 3 * CUBIC * z * z);
    }
  }
}

/**
 * Masked softmax of one row. Writes probabilities (illegal: exactly 0) and returns log Z′ such that
 * log π_b = z_b/τ − (returned value) for legal b. Illegal logits are never read.
 */
export function softmaxRow(
  z: Float32Array,
  at: number,
  actions: number,
  legal: number,
  inverseTemperature: number,
  p: Float32Array,
  pAt: number,
): number {
  let max = -Infinity;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 1 && z[at + b]! * inverseTemperature > max) max = z[at + b]! * inverseTemperature;
  }
  let total = 0;
  for (let b = 0; b < actions; b++) {
    if (((legal >>> b) & 1) === 1) {
      const e = exp(z[at + b]! * inverseTemperature - max);
      p[pAt + b] = e;
      total += e;
    } else p[pAt + b] = 0;
  }
  for (let b = 0; b < actions; b++) p[pAt + b]! /= total;
  return max + log(total);
}
