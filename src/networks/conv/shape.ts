import { gaussian } from '../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../core/random.ts';
import { linear, type Linear } from '../dense/linear.ts';
import { layTensors, product, valuesOf, type Layout, type Tensor } from '../layout.ts';
import type { Board } from '../types.ts';

/** Sizes of a convolution network; see convNetwork.ts for what it computes. */
export type ConvShape = {
  /** F: number of observation bits, of which the first are those of the board */
  readonly features: number;
  readonly board: Board;
  readonly layers: number;
  /** C: numbers of a cell after each layer */
  readonly channels: number;
  /** is what a layer reads added to what it computes, from the second one on? */
  readonly skip: boolean;
  /** H: numbers that the whole board is summed up in */
  readonly hidden: number;
  readonly actions: number;
  readonly critic: boolean;
  readonly values?: 1 | 2;
};

/** Cells that a cell sees: itself and its eight neighbors. */
export const TAPS = 9;

export const convOutputs = (shape: ConvShape): number => shape.actions + valuesOf(shape);
export const cellsOf = ({ board }: ConvShape): number => board.height * board.width;
/** Observation bits that are on no cell. */
export const restOf = (shape: ConvShape): number => shape.features - shape.board.planes * cellsOf(shape);
/** Inputs of the dense layer: the channels of all cells, then the bits on no cell. */
export const flatOf = (shape: ConvShape): number => cellsOf(shape) * shape.channels + restOf(shape);

/** Numbers of a cell that layer k reads. */
const depthOf = ({ board, channels }: ConvShape, k: number): number => (k === 0 ? board.planes : channels);

/** Weights of layer k [9·depth, C] with bias; then those of the dense layer [flat, H] and of the head [H, n], with biases. */
export function convLayout(shape: ConvShape): Layout {
  const { layers, channels, hidden } = shape;
  const convolutions = Array.from({ length: layers }, (_, k) =>
    product(k, [`W${k + 1}`, `b${k + 1}`], TAPS * depthOf(shape, k), channels),
  ).flat();
  return layTensors([
    ...convolutions,
    ...product(layers, ['D', 'd'], flatOf(shape), hidden),
    ...product(layers + 1, ['V', 'v'], hidden, convOutputs(shape)),
  ]);
}

/** All layers as products, the convolutions over the 9 cells around each cell. */
export function convLayers(
  shape: ConvShape,
  { tensors }: Layout,
): { convolutions: Linear[]; dense: Linear; head: Linear } {
  const { layers, channels, hidden } = shape;
  const at = (layer: number, kind: Tensor['kind']): number =>
    tensors.find((t) => t.layer === layer && t.kind === kind)!.offset;
  const layer = (k: number, inputs: number, out: number): Linear => linear(inputs, out, at(k, 'weight'), at(k, 'bias'));
  return {
    convolutions: Array.from({ length: layers }, (_, k) => layer(k, TAPS * depthOf(shape, k), channels)),
    dense: layer(layers, flatOf(shape), hidden),
    head: layer(layers + 1, hidden, convOutputs(shape)),
  };
}

/**
 * Initial weights for ReLU: N(0, 2/in), where of the first layer as many inputs count as are usually on around a cell; the
 * policy head N(0, 0.01²/in), so that the policy starts nearly uniform, values N(0, 1/in); biases 0.
 */
export function convWeights(shape: ConvShape, seed: number, activeInputs: number, out: Float32Array, at = 0): void {
  const layout = convLayout(shape);
  const active = (TAPS * activeInputs) / cellsOf(shape);
  out.fill(0, at, at + layout.size);
  layout.tensors.forEach(({ layer, kind, rows, cols, offset }, index) => {
    if (kind === 'bias') return;
    const fanIn = layer === 0 ? Math.max(1, active) : rows;
    const isHead = layer === shape.layers + 1;
    for (let k = 0; k < rows * cols; k++) {
      const [a, b] = randomPair(seed, PURPOSE.initialWeights, index, k, 0);
      const scale = !isHead ? Math.SQRT2 : k % cols < shape.actions ? 0.01 : 1;
      out[at + offset + k] = (gaussian(uniform(a), uniform(b)) * scale) / Math.sqrt(fanIn);
    }
  });
}

/** Cells that the CPU answers at once, so that what it holds of them stays in the cache; a board is never split. */
const CELLS = 1024;
const MOST_ROWS = 128;
export const convRows = (shape: ConvShape): number =>
  Math.min(MOST_ROWS, Math.max(1, Math.floor(CELLS / cellsOf(shape))));

/** Numbers of a step while learning on WebGPU: the board, what every layer answers, and gradients by all but the board. */
export function convStep(shape: ConvShape): number {
  const { layers, channels, hidden, board } = shape;
  return cellsOf(shape) * (board.planes + 2 * (layers - 1) * channels) + 2 * flatOf(shape) + 2 * hidden;
}

/** Words of the bits around a cell. */
export const patchWords = ({ board }: ConvShape): number => Math.ceil((TAPS * board.planes) / 32);

/** Floats of the kernels on the CPU: activations and what lies around each cell, and scratch for what is copied in and packed. */
export function convFloats(shape: ConvShape, layout: Layout): { readonly arrays: number; readonly scratch: number } {
  const { layers, channels: C, hidden } = shape;
  const rows = convRows(shape);
  const cells = rows * cellsOf(shape);
  const n = convOutputs(shape);
  const words = patchWords(shape);
  const around = layers > 1 ? layers * TAPS : 0;
  return {
    arrays: cells * C * (layers + 2 + around) + rows * (2 * flatOf(shape) + 2 * hidden + 2 * n),
    scratch: 2 * layout.size + cells * (words + 1) + 9 * Math.max(cells, flatOf(shape), hidden, n) + 32 * words + 200,
  };
}
