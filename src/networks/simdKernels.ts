import type { Simd } from '../wasm/simd.ts';
import * as plain from './dense/dense.ts';
import { softmaxRows, type DistributionRows, type LogitRows } from '../core/math/distribution.ts';
import { globalNorm } from '../core/math/gradientNorm.ts';
import type { Moments, MomentStep } from '../core/math/moments.ts';
import { weightSums, type Moved, type WeightSums } from '../core/math/weightSums.ts';
import type { Kernels } from './kernels.ts';
import type { Linear, Observed, Weights } from './dense/linear.ts';
import type { Activation } from './dense/shape.ts';
import { ALIGN, aligned } from './kernelFloats.ts';

const KIND: Readonly<Record<Activation, number>> = { relu: 0, tanh: 1, gelu: 2 };
/** Numbers in f64 that `weightSums` gives back. */
const SUMS = 5;
/** Scratch of a product over K: eight packed columns of one part of it. */
const roomOf = (K: number): number => 8 * Math.min(K, 256);

/**
 * The dense layers on the WebAssembly kernels. The memory holds the user's arrays and after them scratch. A call whose
 * arrays do not fit runs the definition instead, with the same bits.
 */
export class SimdKernels implements Kernels {
  readonly isFast = true;
  private readonly run: Simd['run'];
  private readonly buffer: ArrayBuffer;
  private readonly f32: Float32Array;
  private readonly u32: Uint32Array;
  private readonly f64: Float64Array;
  /** next byte for the user, first byte of scratch, next byte of scratch in this call */
  private next: number;
  private readonly scratch: number;
  private top: number;
  /** something of this call has found no room */
  private isShort = false;

  constructor({ buffer, run }: Simd, scratch: number) {
    this.run = run;
    this.next = Math.ceil(run.free() / ALIGN) * ALIGN;
    this.buffer = buffer;
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.scratch = Math.floor((buffer.byteLength - aligned(scratch)) / ALIGN) * ALIGN;
    this.top = this.scratch;
  }

  floats(n: number): Float32Array {
    if (this.next + aligned(n) > this.scratch) return new Float32Array(n);
    const array = new Float32Array(this.buffer, this.next, n);
    this.next += aligned(n);
    return array;
  }

  /** A call begins: all scratch is free. */
  private begin(): void {
    this.top = this.scratch;
    this.isShort = false;
  }

  /** Scratch for this call; 0 when there is none left. */
  private take(floats: number): number {
    const at = this.top;
    this.isShort ||= at + aligned(floats) > this.buffer.byteLength;
    if (this.isShort) return 0;
    this.top += aligned(floats);
    return at;
  }

  /** Where `array[from … from + n)` can be read: in place, or copied. */
  private read(array: Float32Array, from: number, n: number): number {
    if (array.buffer === this.buffer) return array.byteOffset + from * 4;
    const at = this.take(n);
    if (!this.isShort) this.f32.set(array.subarray(from, from + n), at / 4);
    return at;
  }

  /** Where a result of n floats can be written, for `give`. */
  private place(array: Float32Array, n: number): number {
    return array.buffer === this.buffer ? array.byteOffset : this.take(n);
  }

  /** Brings a result from where it was written to where it belongs. */
  private give(at: number, array: Float32Array, from: number, n: number): void {
    if (array.buffer !== this.buffer) array.set(this.f32.subarray(at / 4, at / 4 + n), from);
  }

  /** The observations of the rows one after the other; those of an episode lie so already and are copied as a whole. */
  private gather({ bits, at, words }: Observed, rows: number): number {
    const start = this.take(rows * words);
    if (this.isShort) return 0;
    const { u32 } = this;
    for (let r = 0, to = start / 4; r < rows;) {
      const from = at[r++]!;
      let end = from + words;
      for (; r < rows && at[r] === end; r++) end += words;
      if (end - from > words) u32.set(bits.subarray(from, end), to);
      else for (let k = 0; k < words; k++) u32[to + k] = bits[from + k]!;
      to += end - from;
    }
    return start;
  }

  sparseForward(layer: Linear, weights: Weights, observed: Observed, rows: number, Y: Float32Array): void {
    this.begin();
    const { inputs, out, weightAt, biasAt } = layer;
    const { theta, from } = weights;
    const { words } = observed;
    const o = this.gather(observed, rows);
    const w = this.read(theta, from + weightAt, inputs * out);
    const b = biasAt < 0 ? 0 : this.read(theta, from + biasAt, out);
    const y = this.place(Y, rows * out);
    const room = this.take(words * 32 + out);
    if (this.isShort) return plain.sparseForward(layer, weights, observed, rows, Y);
    this.run.sparseForward(o, words, rows, w, b, out, y, room);
    this.give(y, Y, 0, rows * out);
  }

  sparseGradient(layer: Linear, gradient: Float32Array, observed: Observed, dY: Float32Array, rows: number): void {
    this.begin();
    const { inputs, out, weightAt, biasAt } = layer;
    const { words } = observed;
    const o = this.gather(observed, rows);
    const d = this.read(dY, 0, rows * out);
    const b = biasAt < 0 ? 0 : this.read(gradient, biasAt, out);
    const w = this.read(gradient, weightAt, inputs * out);
    const room = this.take(words * 32);
    if (this.isShort) return plain.sparseGradient(layer, gradient, observed, dY, rows);
    this.run.sparseGradient(o, words, rows, d, out, w, b, room);
    this.give(w, gradient, weightAt, inputs * out);
    if (biasAt >= 0) this.give(b, gradient, biasAt, out);
  }

  denseForward(layer: Linear, weights: Weights, X: Float32Array, rows: number, Y: Float32Array): void {
    this.begin();
    const { inputs, out, weightAt, biasAt } = layer;
    const { theta, from } = weights;
    const x = this.read(X, 0, rows * inputs);
    const w = this.read(theta, from + weightAt, inputs * out);
    const b = biasAt < 0 ? 0 : this.read(theta, from + biasAt, out);
    const y = this.place(Y, rows * out);
    const room = this.take(roomOf(inputs));
    if (this.isShort) return plain.denseForward(layer, weights, X, rows, Y);
    this.run.product(rows, inputs, out, x, inputs * 4, 4, w, out * 4, 4, b, y, room);
    this.give(y, Y, 0, rows * out);
  }

  denseBackward(layer: Linear, weights: Weights, dY: Float32Array, rows: number, dX: Float32Array): void {
    this.begin();
    const { inputs, out, weightAt } = layer;
    const d = this.read(dY, 0, rows * out);
    const w = this.read(weights.theta, weights.from + weightAt, inputs * out);
    const x = this.place(dX, rows * inputs);
    const room = this.take(roomOf(out));
    if (this.isShort) return plain.denseBackward(layer, weights, dY, rows, dX);
    // column i of Wᵀ is row i of W
    this.run.product(rows, out, inputs, d, out * 4, 4, w, 4, out * 4, 0, x, room);
    this.give(x, dX, 0, rows * inputs);
  }

  denseGradient(layer: Linear, gradient: Float32Array, X: Float32Array, dY: Float32Array, rows: number): void {
    this.begin();
    const { inputs, out, weightAt, biasAt } = layer;
    const x = this.read(X, 0, rows * inputs);
    const d = this.read(dY, 0, rows * out);
    const w = this.read(gradient, weightAt, inputs * out);
    const b = biasAt < 0 ? 0 : this.read(gradient, biasAt, out);
    const sums = this.take(inputs * out);
    const room = this.take(roomOf(rows));
    if (this.isShort) return plain.denseGradient(layer, gradient, X, dY, rows);
    // row i of Xᵀ is column i of X
    this.run.product(inputs, rows, out, x, 4, inputs * 4, d, out * 4, 4, 0, sums, room);
    this.run.addTo(inputs * out, sums, w);
    this.give(w, gradient, weightAt, inputs * out);
    if (biasAt < 0) return;
    this.run.columnSums(rows, out, d, b);
    this.give(b, gradient, biasAt, out);
  }

  activate(kind: Activation, Z: Float32Array, count: number, H: Float32Array): void {
    this.begin();
    const z = this.read(Z, 0, count);
    const h = this.place(H, count);
    if (this.isShort) return plain.activate(kind, Z, count, H);
    this.run.activate(KIND[kind], z, count, h);
    this.give(h, H, 0, count);
  }

  activateBackward(kind: Activation, Z: Float32Array, H: Float32Array, count: number, dH: Float32Array): void {
    this.begin();
    const z = this.read(Z, 0, count);
    const h = this.read(H, 0, count);
    const d = this.read(dH, 0, count);
    if (this.isShort) return plain.activateBackward(kind, Z, H, count, dH);
    this.run.activateBackward(KIND[kind], z, h, count, d);
    this.give(d, dH, 0, count);
  }

  softmaxRows(rows: LogitRows, n: number, out: DistributionRows, measures: boolean): void {
    this.begin();
    const { stride, count, legal, inverse } = rows;
    const size = n * count;
    const z = this.read(rows.z, rows.first, (n - 1) * stride + count);
    const at = this.take(3 * size + 6 * n + 2);
    if (this.isShort) return softmaxRows(rows, n, out, measures);
    const [f32, f64] = [at / 4, at / 8];
    this.u32.set(legal.subarray(0, n), f32 + 4 * n);
    this.run.softmax(n, z, stride, count, inverse, measures, at);
    out.logZ.set(this.f64.subarray(f64, f64 + n));
    if (measures) out.entropy.set(this.f64.subarray(f64 + n, f64 + 2 * n));
    out.p.set(this.f32.subarray(f32 + 4 * n, f32 + 4 * n + size));
  }

  moments({ theta, gradient, m, v }: Moments, numbers: MomentStep, learningRate: number): boolean | null {
    const { beta1, beta2, epsilon, weightDecay, c1, c2 } = numbers;
    const n = theta.length;
    if (n % 4 !== 0 || ![theta, gradient, m, v].every(({ buffer }) => buffer === this.buffer)) return null;
    const [t, g, a, b] = [theta.byteOffset, gradient.byteOffset, m.byteOffset, v.byteOffset];
    return this.run.adam(n, t, g, a, b, beta1, beta2, epsilon, weightDecay, c1, c2, learningRate) !== 0;
  }

  globalNorm(gradient: Float32Array): number {
    const { buffer, byteOffset, length } = gradient;
    return buffer === this.buffer && length % 4 === 0
      ? Math.sqrt(this.run.squares(length, byteOffset))
      : globalNorm(gradient);
  }

  weightSums(of: Moved): WeightSums {
    const { theta, last, gradient, lastGradient } = of;
    this.begin();
    const out = this.take(2 * SUMS);
    const isHere = [theta, last, gradient, lastGradient].every(({ buffer }) => buffer === this.buffer);
    if (this.isShort || !isHere || theta.length % 2 !== 0) return weightSums(of);
    const [t, l, g, o] = [theta.byteOffset, last.byteOffset, gradient.byteOffset, lastGradient.byteOffset];
    this.run.weightSums(theta.length, t, l, g, o, out);
    const [moved, size, dot, now, before] = new Float64Array(this.buffer, out, SUMS);
    return { moved: moved!, size: size!, dot: dot!, now: now!, before: before! };
  }
}
