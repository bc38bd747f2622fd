import { numbers, untouched, wholes, type Case } from '../../../conformance.ts';
import { rowKernels } from '../../signalKernels.ts';

type Dims = { readonly rows: number; readonly cols: number; readonly width: number };

/** [rows, cols] what `of` says of the real steps, 0 on padding. */
const perStep = (
  { cols }: Dims,
  length: Uint32Array,
  of: (row: number, t: number, k: number) => number,
): Float32Array =>
  Float32Array.from({ length: length.length * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    return k % cols < length[row]! ? of(row, k % cols, k) : 0;
  });

/** How far the state after a step lies above all before it. */
const gains = (dims: Dims, x: Float32Array, length: Uint32Array): Float32Array =>
  perStep(dims, length, (row, t) => {
    const states = x.subarray(row * (dims.cols + 1), (row + 1) * (dims.cols + 1));
    return Math.max(0, states[t + 1]! - Math.max(...states.subarray(0, t + 1)));
  });

/** 1 up to the first step that is not 0, and in it. */
const upTo = (dims: Dims, x: Float32Array, length: Uint32Array): Float32Array =>
  perStep(dims, length, (row, t) => (x.subarray(row * dims.cols, row * dims.cols + t).some((v) => v !== 0) ? 0 : 1));

const product = (dims: Dims, x: Float32Array, length: Uint32Array): Float32Array =>
  perStep(dims, length, (_row, _t, k) =>
    x.subarray(k * dims.width, (k + 1) * dims.width).reduce((all, v) => Math.fround(all * v), 1),
  );

/** How many numbers of a row are this step. */
const named = (dims: Dims, x: Float32Array, length: Uint32Array): Float32Array =>
  perStep(dims, length, (row, t) => x.subarray(row * dims.width, (row + 1) * dims.width).filter((v) => v === t).length);

const OF = { gains, upTo, product, named };

const SHAPES = [
  [1, 1, 1],
  [5, 13, 2],
  [65, 3, 16],
] as const;

export const cases: readonly Case[] = (['gains', 'upTo', 'product', 'named'] as const).flatMap((entry) =>
  SHAPES.map(([rows, cols, width], seed): Case => {
    const dims = { rows, cols, width };
    const length = wholes(seed, rows, cols).map((n) => n + 1);
    const steps = rows * cols;
    const x = {
      gains: () => numbers(seed + 1, rows * (cols + 1), 0, 1),
      upTo: () => Float32Array.from(wholes(seed + 1, steps, 5), (n) => (n === 0 ? 1 : 0)),
      product: () => numbers(seed + 1, steps * width, 0.5, 1),
      // −1: never
      named: () => Float32Array.from(wholes(seed + 1, rows * width, cols + 2), (n) => n - 1),
    }[entry]();
    const isRow = entry === 'gains' || entry === 'upTo';
    return {
      name: `${entry} of ${rows}×${cols}, ${width} wide`,
      kernel: rowKernels[entry],
      dims,
      groups: [Math.ceil((isRow ? rows : steps) / 64)],
      buffers: { x, length, y: untouched(steps) },
      expected: { y: OF[entry](dims, x, length) },
      // one subtraction of numbers below 1; products in the order of the definition; the others choose
      tolerance: { abs: entry === 'gains' ? 2 ** -24 : 0, rel: entry === 'product' ? 2 ** -22 : 0 },
    };
  }),
);
