import { tanh } from '../../core/fmath.ts';
import { linear, type Linear, type Observed, type Weights } from './linear.ts';
import type { Activation } from './shape.ts';

/**
 * Dense layers over typed arrays: the CPU form of the network. Rows are samples, matrices row-major. Blocks of sums stay
 * in local variables; the order of additions and every rounding is fixed, so equal inputs give equal bits in every engine
 * and in the WebAssembly form (simdKernels.ts), which is several times as fast.
 */

const f = Math.fround;

/** Y[r,:] = b + Σ over the set bits f of row r of W[f,:].   W [F, out]   Y [rows, out] */
export function sparseForward(
  { out, weightAt, biasAt }: Linear,
  { theta, from }: Weights,
  { bits, at, words }: Observed,
  rows: number,
  Y: Float32Array,
): void {
  const W = from + weightAt;
  const b = from + biasAt;
  for (let r = 0; r < rows; r++) {
    const y = r * out;
    if (biasAt >= 0) for (let j = 0; j < out; j++) Y[y + j] = theta[b + j]!;
    else Y.fill(0, y, y + out);
    for (let w = 0; w < words; w++) {
      let word = bits[at[r]! + w]!;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        word &= word - 1;
        const Wf = W + (w * 32 + bit) * out;
        for (let j = 0; j < out; j++) Y[y + j]! += theta[Wf + j]!;
      }
    }
  }
}

/** gradient[W[f,:]] += Σ over rows with bit f of dY[r,:]; gradient[b] += Σ dY. */
export function sparseGradient(
  { out, weightAt, biasAt }: Linear,
  gradient: Float32Array,
  { bits, at, words }: Observed,
  dY: Float32Array,
  rows: number,
): void {
  for (let r = 0; r < rows; r++) {
    const d = r * out;
    if (biasAt >= 0) for (let j = 0; j < out; j++) gradient[biasAt + j]! += dY[d + j]!;
    for (let w = 0; w < words; w++) {
      let word = bits[at[r]! + w]!;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        word &= word - 1;
        const Wf = weightAt + (w * 32 + bit) * out;
        for (let j = 0; j < out; j++) gradient[Wf + j]! += dY[d + j]!;
      }
    }
  }
}

/**
 * Y = X·W + b.   X [rows, in]   W [in, out]   Y [rows, out]
 *
 * Four rows by four columns at a time, in sixteen local sums: nothing is stored until a sum is whole. Every sum adds up
 * over the inputs in ascending order in f32, each product rounded before it is added, whatever block it is in: what a lane
 * of a SIMD register does.
 */
export function denseForward(
  { inputs, out, weightAt, biasAt }: Linear,
  { theta, from }: Weights,
  X: Float32Array,
  rows: number,
  Y: Float32Array,
): void {
  const W = from + weightAt;
  const bias = from + biasAt;
  const wide = out - (out % 4);
  const tall = rows - (rows % 4);
  for (let r = 0; r < tall; r += 4) {
    const x0 = r * inputs;
    const x1 = x0 + inputs;
    const x2 = x1 + inputs;
    const x3 = x2 + inputs;
    for (let j = 0; j < wide; j += 4) {
      let [s00, s01, s02, s03] = [0, 0, 0, 0];
      if (biasAt >= 0) {
        s00 = theta[bias + j]!;
        s01 = theta[bias + j + 1]!;
        s02 = theta[bias + j + 2]!;
        s03 = theta[bias + j + 3]!;
      }
      let [s10, s11, s12, s13] = [s00, s01, s02, s03];
      let [s20, s21, s22, s23] = [s00, s01, s02, s03];
      let [s30, s31, s32, s33] = [s00, s01, s02, s03];
      let w = W + j;
      for (let i = 0; i < inputs; i++, w += out) {
        const w0 = theta[w]!;
        const w1 = theta[w + 1]!;
        const w2 = theta[w + 2]!;
        const w3 = theta[w + 3]!;
        const a = X[x0 + i]!;
        s00 = f(s00 + f(a * w0));
        s01 = f(s01 + f(a * w1));
        s02 = f(s02 + f(a * w2));
        s03 = f(s03 + f(a * w3));
        const b = X[x1 + i]!;
        s10 = f(s10 + f(b * w0));
        s11 = f(s11 + f(b * w1));
        s12 = f(s12 + f(b * w2));
        s13 = f(s13 + f(b * w3));
        const c = X[x2 + i]!;
        s20 = f(s20 + f(c * w0));
        s21 = f(s21 + f(c * w1));
        s22 = f(s22 + f(c * w2));
        s23 = f(s23 + f(c * w3));
        const d = X[x3 + i]!;
        s30 = f(s30 + f(d * w0));
        s31 = f(s31 + f(d * w1));
        s32 = f(s32 + f(d * w2));
        s33 = f(s33 + f(d * w3));
      }
      let y = r * out + j;
      Y[y] = s00;
      Y[y + 1] = s01;
      Y[y + 2] = s02;
      Y[y + 3] = s03;
      y += out;
      Y[y] = s10;
      Y[y + 1] = s11;
      Y[y + 2] = s12;
      Y[y + 3] = s13;
      y += out;
      Y[y] = s20;
      Y[y + 1] = s21;
      Y[y + 2] = s22;
      Y[y + 3] = s23;
      y += out;
      Y[y] = s30;
      Y[y + 1] = s31;
      Y[y + 2] = s32;
      Y[y + 3] = s33;
    }
  }
  // what is left of the last rows and columns, one sum at a time
  for (let r = 0; r < rows; r++) {
    for (let j = r < tall ? wide : 0; j < out; j++) {
      let total = biasAt >= 0 ? theta[bias + j]! : 0;
      for (let i = 0; i < inputs; i++) total = f(total + f(X[r * inputs + i]! * theta[W + i * out + j]!));
      Y[r * out + j] = total;
    }
  }
}

/** Wᵀ and the layer that multiplies by it. */
const turned: Weights = { theta: new Float32Array(4096), from: 0 };
const turnedLayer: { -readonly [name in keyof Linear]: Linear[name] } = linear(0, 0, 0);

/** dX = dY·Wᵀ.   dY [rows, out]   dX [rows, in]. The same product with W turned over once; W is small against the rows. */
export function denseBackward(
  { inputs, out, weightAt }: Linear,
  { theta, from }: Weights,
  dY: Float32Array,
  rows: number,
  dX: Float32Array,
): void {
  if (turned.theta.length < inputs * out) turned.theta = new Float32Array(inputs * out);
  const Wt = turned.theta;
  const W = from + weightAt;
  for (let i = 0; i < inputs; i++) {
    for (let j = 0; j < out; j++) Wt[j * inputs + i] = theta[W + i * out + j]!;
  }
  turnedLayer.inputs = out;
  turnedLayer.out = inputs;
  denseForward(turnedLayer, turned, dY, rows, dX);
}

/**
 * gradient[W] += Xᵀ·dY, gradient[b] += Σ_r dY[r,:]. Four inputs by four outputs at a time; sums run over the rows in
 * ascending order in f32 and are added to the gradient at the end.
 */
export function denseGradient(
  { inputs, out, weightAt, biasAt }: Linear,
  gradient: Float32Array,
  X: Float32Array,
  dY: Float32Array,
  rows: number,
): void {
  const wide = out - (out % 4);
  const tall = inputs - (inputs % 4);
  for (let i = 0; i < tall; i += 4) {
    for (let j = 0; j < wide; j += 4) {
      let [s00, s01, s02, s03] = [0, 0, 0, 0];
      let [s10, s11, s12, s13] = [0, 0, 0, 0];
      let [s20, s21, s22, s23] = [0, 0, 0, 0];
      let [s30, s31, s32, s33] = [0, 0, 0, 0];
      for (let r = 0, x = i, y = j; r < rows; r++, x += inputs, y += out) {
        const d0 = dY[y]!;
        const d1 = dY[y + 1]!;
        const d2 = dY[y + 2]!;
        const d3 = dY[y + 3]!;
        const a = X[x]!;
        s00 = f(s00 + f(a * d0));
        s01 = f(s01 + f(a * d1));
        s02 = f(s02 + f(a * d2));
        s03 = f(s03 + f(a * d3));
        const b = X[x + 1]!;
        s10 = f(s10 + f(b * d0));
        s11 = f(s11 + f(b * d1));
        s12 = f(s12 + f(b * d2));
        s13 = f(s13 + f(b * d3));
        const c = X[x + 2]!;
        s20 = f(s20 + f(c * d0));
        s21 = f(s21 + f(c * d1));
        s22 = f(s22 + f(c * d2));
        s23 = f(s23 + f(c * d3));
        const d = X[x + 3]!;
        s30 = f(s30 + f(d * d0));
        s31 = f(s31 + f(d * d1));
        s32 = f(s32 + f(d * d2));
        s33 = f(s33 + f(d * d3));
      }
      let g = weightAt + i * out + j;
      gradient[g]! += s00;
      gradient[g + 1]! += s01;
      gradient[g + 2]! += s02;
      gradient[g + 3]! += s03;
      g += out;
      gradient[g]! += s10;
      gradient[g + 1]! += s11;
      gradient[g + 2]! += s12;
      gradient[g + 3]! += s13;
      g += out;
      gradient[g]! += s20;
      gradient[g + 1]! += s21;
      gradient[g + 2]! += s22;
      gradient[g + 3]! += s23;
      g += out;
      gradient[g]! += s30;
      gradient[g + 1]! += s31;
      gradient[g + 2]! += s32;
      gradient[g + 3]! += s33;
    }
  }
  for (let i = 0; i < inputs; i++) {
    for (let j = i < tall ? wide : 0; j < out; j++) {
      let total = 0;
      for (let r = 0; r < rows; r++) total = f(total + f(X[r * inputs + i]! * dY[r * out + j]!));
      gradient[weightAt + i * out + j]! += total;
    }
  }
  if (biasAt < 0) return;
  for (let j = 0; j < out; j++) {
    let total = 0;
    for (let r = 0; r < rows; r++) total = f(total + dY[r * out + j]!);
    gradient[biasAt + j]! += total;
  }
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
