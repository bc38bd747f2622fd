import type { FirstLayer, History, Layers, Network, Outputs } from '../../contract/network.ts';
import type { Linear, Observed, Weights } from '../dense/linear.ts';
import { makeKernels, type Kernels } from '../kernels.ts';
import { valuesOf, type Layout } from '../layout.ts';
import type { Sized } from '../types.ts';
import { gatherAround, spreadBack } from './around.ts';
import {
  cellsOf,
  convFloats,
  convLayers,
  convOutputs,
  convRows,
  flatOf,
  patchWords,
  restOf,
  TAPS,
  type ConvShape,
} from './shape.ts';

/**
 * A convolution network over the board that an observation shows, and a dense layer over all of it. Outside the board all is
 * 0. N(c) are the 9 cells around cell c, itself among them, and o the observation bits.
 *
 *   h₁[c] = relu(b₁ + Σ W₁[d,p,:] over the planes p that are set in cell N(c)_d)                         [C]
 *   h_k[c] = relu(b_k + Σ_d h_{k−1}[N(c)_d]·W_k[d]  (+ h_{k−1}[c], with `skip`)),   k = 2 … layers
 *   out = v + relu(d + [h[0], h[1], …, o behind the planes]·D)·V
 *
 * Convolutions are products of what lies around each cell, side by side, with the weights of all 9 directions.
 */
export class ConvNetwork implements Network {
  readonly kernels: Kernels;
  readonly chunk: number;
  readonly logits: Outputs;
  readonly values: Outputs;
  readonly hidden: Omit<Outputs, 'd'>;
  readonly first: FirstLayer;
  private readonly shape: ConvShape;
  private readonly cells: number;
  private readonly rest: number;
  private readonly layers: ReturnType<typeof convLayers>;
  private readonly weights: Weights = { theta: new Float32Array(0), from: 0 };
  private rows = 0;
  private bits: Uint32Array = new Uint32Array(0);
  private readonly at: Int32Array;
  /** the bits around each cell of the rows */
  private readonly patches: Observed & { readonly bits: Uint32Array };
  /** [rows·cells, C] of every layer, and gradients of two of them; [rows·cells, 9C] around the cells, from the second layer on */
  private readonly H: readonly Float32Array[];
  private readonly dH: readonly [Float32Array, Float32Array];
  private readonly around: readonly Float32Array[];
  private readonly dAround: Float32Array;
  /** [rows, flat] what the dense layer reads, [rows, H] what it answers, [rows, n] what comes out */
  private readonly flat: Float32Array;
  private readonly dFlat: Float32Array;
  private readonly sum: Float32Array;
  private readonly dSum: Float32Array;
  private readonly out: Float32Array;
  private readonly dOut: Float32Array;

  /** `own` floats of the kernels' memory are left for arrays of whoever uses the network. */
  constructor(shape: ConvShape, layout: Layout, own = 0) {
    this.shape = shape;
    const rows = (this.chunk = convRows(shape));
    const cells = (this.cells = cellsOf(shape));
    this.rest = restOf(shape);
    this.layers = convLayers(shape, layout);
    const { arrays, scratch } = convFloats(shape, layout);
    const kernels = (this.kernels = makeKernels(own + arrays, scratch));
    const { channels, hidden, actions } = shape;
    const words = patchWords(shape);
    this.at = new Int32Array(rows);
    const at = Int32Array.from({ length: rows * cells }, (_, k) => k * words);
    this.patches = { bits: new Uint32Array(rows * cells * words), at, words };
    const make = (width: number): Float32Array => kernels.floats(rows * width);
    const map = (): Float32Array => make(cells * channels);
    this.H = Array.from({ length: shape.layers }, map);
    this.dH = [map(), map()];
    const copyBits = (n: number, out: Uint32Array, to: number): void => {
      for (let w = 0; w < words; w++) out[to + w] = this.patches.bits[n * words + w]!;
    };
    const dY = this.dH[(shape.layers - 1) % 2]!;
    this.first = { ...this.layers.convolutions[0]!, rows: cells, words, dY, copyBits };
    this.around = Array.from({ length: shape.layers - 1 }, () => make(cells * TAPS * channels));
    this.dAround = make(shape.layers > 1 ? cells * TAPS * channels : 0);
    this.flat = make(flatOf(shape));
    this.dFlat = make(flatOf(shape));
    this.sum = make(hidden);
    this.hidden = { out: this.sum, first: 0, stride: hidden, count: hidden };
    this.dSum = make(hidden);
    const n = convOutputs(shape);
    const out = (this.out = make(n));
    const d = (this.dOut = make(n));
    this.logits = { out, d, first: 0, stride: n, count: actions };
    this.values = { out, d, first: actions, stride: n, count: valuesOf(shape) };
  }

  clear(): void {
    this.rows = 0;
  }

  read({ obs, T, obsWords }: History, row: number, t: number): void {
    this.bits = obs;
    this.at[this.rows++] = (row * (T + 1) + t) * obsWords;
  }

  forward(theta: Float32Array, from: number): void {
    const { kernels, weights, rows, cells, H, around, shape } = this;
    const { channels: C, skip, board } = shape;
    const { convolutions, dense, head } = this.layers;
    weights.theta = theta;
    weights.from = from;
    this.fillPatches();
    const count = rows * cells;
    convolutions.forEach((layer, k) => {
      const Y = H[k]!;
      if (k === 0) kernels.sparseForward(layer, weights, this.patches, count, Y);
      else {
        const X = H[k - 1]!;
        gatherAround(board, C, rows, X, around[k - 1]!);
        kernels.denseForward(layer, weights, around[k - 1]!, count, Y);
        if (skip) for (let i = 0; i < count * C; i++) Y[i]! += X[i]!;
      }
      kernels.activate('relu', Y, count * C, Y);
    });
    this.fillFlat(H.at(-1)!);
    kernels.denseForward(dense, weights, this.flat, rows, this.sum);
    kernels.activate('relu', this.sum, rows * dense.out, this.sum);
    kernels.denseForward(head, weights, this.sum, rows, this.out);
  }

  backward(theta: Float32Array, from: number, gradient: Float32Array, which: Layers = 'all'): void {
    const { kernels, weights, rows, cells, H, shape, sum, dSum, flat, dFlat } = this;
    const { convolutions, dense, head } = this.layers;
    weights.theta = theta;
    weights.from = from;
    kernels.denseGradient(head, gradient, sum, this.dOut, rows);
    if (which === 'last') return;
    kernels.denseBackward(head, weights, this.dOut, rows, dSum);
    kernels.activateBackward('relu', sum, sum, rows * dense.out, dSum);
    kernels.denseGradient(dense, gradient, flat, dSum, rows);
    kernels.denseBackward(dense, weights, dSum, rows, dFlat);
    let [dY, dX] = this.dH;
    const map = cells * shape.channels;
    for (let r = 0; r < rows; r++) for (let i = 0, k = r * dense.inputs; i < map; i++) dY[r * map + i] = dFlat[k++]!;
    for (let k = convolutions.length - 1; k >= 0; k--) {
      kernels.activateBackward('relu', H[k]!, H[k]!, rows * map, dY);
      if (k === 0) {
        if (which !== 'butFirst') kernels.sparseGradient(convolutions[0]!, gradient, this.patches, dY, rows * cells);
      } else this.backTo(k, convolutions[k]!, gradient, dY, dX);
      [dY, dX] = [dX, dY];
    }
  }

  /** [rows, cells, C] what layer k answered at last, from 0. */
  mapOf(k: number): Float32Array {
    return this.H[k]!;
  }

  /** From ∂L by the sums of layer k to its weights, and to what it reads. */
  private backTo(k: number, layer: Linear, gradient: Float32Array, dY: Float32Array, dX: Float32Array): void {
    const { kernels, weights, rows, cells, dAround } = this;
    const { board, channels: C, skip } = this.shape;
    kernels.denseGradient(layer, gradient, this.around[k - 1]!, dY, rows * cells);
    kernels.denseBackward(layer, weights, dY, rows * cells, dAround);
    if (skip) for (let i = 0; i < rows * cells * C; i++) dX[i] = dY[i]!;
    else dX.fill(0, 0, rows * cells * C);
    spreadBack(board, C, rows, dAround, dX);
  }

  /** The bits around every cell: bit d·planes + p of cell c is plane p of cell N(c)_d. */
  private fillPatches(): void {
    const { cells, rows, bits, at, patches } = this;
    const { planes, height, width } = this.shape.board;
    const { words, bits: out } = patches;
    out.fill(0, 0, rows * cells * words);
    const last = planes * cells;
    for (let r = 0; r < rows; r++)
      for (let w = 0; w < last; w += 32) {
        let word = bits[at[r]! + (w >>> 5)]!;
        while (word !== 0) {
          const f = w + 31 - Math.clz32(word & -word);
          word &= word - 1;
          if (f >= last) break;
          const plane = Math.floor(f / cells);
          const y = Math.floor((f - plane * cells) / width);
          const x = f - plane * cells - y * width;
          // it is in direction d of the cell that lies opposite
          for (let d = 0; d < TAPS; d++) {
            const [cy, cx] = [y + 1 - Math.floor(d / 3), x + 1 - (d % 3)];
            if (cy < 0 || cy >= height || cx < 0 || cx >= width) continue;
            const bit = d * planes + plane;
            out[(r * cells + cy * width + cx) * words + (bit >>> 5)]! |= 1 << (bit & 31);
          }
        }
      }
  }

  /** What the dense layer reads: all cells, then the bits that are on no cell. */
  private fillFlat(last: Float32Array): void {
    const { rows, rest, bits, at, flat, shape, cells } = this;
    const map = cells * shape.channels;
    const first = shape.board.planes * cells;
    let to = 0;
    for (let r = 0; r < rows; r++) {
      for (let i = r * map; i < (r + 1) * map; i++) flat[to++] = last[i]!;
      for (let f = first; f < first + rest; f++) flat[to++] = (bits[at[r]! + (f >>> 5)]! >>> (f & 31)) & 1;
    }
  }
}

export const makeConv = ({ shape, layout }: Sized<ConvShape>, own: number): ConvNetwork =>
  new ConvNetwork(shape, layout, own);
