import type { KernelFloats } from '../kernelFloats.ts';
import { layTensors, product, valuesOf, type Layout } from '../layout.ts';
import {
  layerScale,
  layerTensors,
  startWeights,
  stepBenchFloats,
  stepLayerFloats,
  type LayerShape,
} from '../transformer/shape.ts';

/** Sizes of a transformer that writes summaries of its steps; memoNetwork.ts says what it computes. */
export type MemoShape = LayerShape & {
  /** number of observation bits */
  readonly features: number;
  readonly layers: number;
  /** L: steps of a segment */
  readonly segment: number;
  /** S: summary tokens at the end of a segment */
  readonly summary: number;
  /** K: segments whose summaries are read; 1: each one takes the place of the one before */
  readonly keep: number;
  /** b of the gates: the larger, the nearer to the identity at the start */
  readonly gateBias: number;
  readonly actions: number;
  readonly critic: boolean;
  readonly values?: 1 | 2;
};

/** Steps of the longest episode, and steps that the CPU answers at once. */
export const MEMO_STEPS = 1024;
export const MEMO_CHUNK = 128;
/** Tokens of one segment of all episodes that are read at a time. */
const MOST_TOKENS = 256;

/** Numbers that come out for one step: logits, then values. */
export const memoOutputs = (shape: MemoShape): number => shape.actions + valuesOf(shape);

/** Distances with a bias of their own: from the last summary token of a segment back to the oldest one that is read. */
export const distancesOf = ({ segment, summary, keep }: MemoShape): number => (keep + 1) * summary + segment;

/** Most tokens of a segment: the summary of the one before, its steps, and its own summary. */
export const tokensOf = ({ segment, summary }: MemoShape): number => segment + 2 * summary;
export const rowsOf = (shape: MemoShape): number => Math.max(MOST_TOKENS, tokensOf(shape));
/** Episodes that are read from their beginning at a time, and segments of each. */
export const slotsOf = (shape: MemoShape): number => Math.min(MEMO_CHUNK, Math.floor(rowsOf(shape) / tokensOf(shape)));
export const segmentsOf = ({ segment }: MemoShape): number => Math.ceil(MEMO_STEPS / segment);

/** Keys and values, of each layer, of the summaries of `segments` segments. */
export const summaryFloats = ({ layers, summary, width }: MemoShape, segments: number): number =>
  layers * segments * summary * 2 * width;

/**
 * Numbers that are remembered of an episode: keys and values of each layer, of the last K summaries and of the steps of the
 * segment, and the summary that was just written.
 */
export const memoryOf = (shape: MemoShape): number =>
  summaryFloats(shape, shape.keep) + (2 * shape.layers * shape.segment + shape.summary) * shape.width;

/** Where each tensor lies in the flat vector: input [F, D] with bias, summary tokens [S, D], layers, head [D, n] with bias. */
export function memoLayout(shape: MemoShape): Layout {
  const { features, width: D, layers, summary } = shape;
  return layTensors([
    ...product(0, ['in', 'inbias'], features, D),
    { name: 'summary', layer: 0, kind: 'weight', rows: summary, cols: D },
    ...Array.from({ length: layers }, (_, l) => layerTensors(shape, l, distancesOf(shape))).flat(),
    ...product(layers, ['out', 'outbias'], D, memoOutputs(shape)),
  ]);
}

/**
 * Initial weights: products N(0, 1/in), of the input 1/active inputs; summary tokens N(0, 0.1²), so that at first a summary
 * is what it has read; the two of a layer that write to the stream divided by √(2·layers); gates N(0, 1/(4D)) with bias b;
 * gains 1, other biases 0; the policy head × 0.01.
 */
export function memoWeights(
  shape: MemoShape,
  { seed, activeInputs }: { readonly seed: number; readonly activeInputs: number },
  theta: Float32Array,
  at = 0,
): void {
  const { width, layers, actions, gateBias } = shape;
  startWeights(memoLayout(shape), gateBias, { seed, theta, at }, (name, rows, column) => {
    if (name === 'in') return 1 / Math.sqrt(Math.max(1, activeInputs));
    if (name === 'summary') return 0.1;
    if (name === 'out') return (column < actions ? 0.01 : 1) / Math.sqrt(width);
    return layerScale(name, rows, layers);
  });
}

/** Floats of the kernels on the CPU: activations of one segment with their gradients, and scratch for what is copied in. */
export function memoFloats(shape: MemoShape, layout: Layout): KernelFloats {
  const { features, width: D, hidden: F, layers } = shape;
  const words = Math.ceil(features / 32);
  const n = memoOutputs(shape);
  const rows = rowsOf(shape);
  const activations = rows * ((layers + 2) * D + layers * (32 * D + 2 * F + 2) + 20 * D + F);
  const segments = segmentsOf(shape);
  const kept = 2 * slotsOf(shape) * (summaryFloats(shape, segments) + (segments + 1) * shape.summary * D);
  return {
    arrays: activations + MEMO_CHUNK * (2 * n + 2 * D) + kept,
    scratch: 2 * layout.size + rows * (words + 1) + 9 * Math.max(rows, F, 3 * D, n) + 32 * words + 200,
  };
}

/** Numbers of an episode of T steps on WebGPU: see blocks.ts. */
export function memoGpuFloats(shape: MemoShape, T: number): number {
  const { width: D, heads, layers, segment: L, summary: S } = shape;
  const between = Math.ceil(T / L) - 1;
  const first = Math.max(S + 1, between > 0 ? L + S : T);
  const tokens = first + (between > 0 ? T - L + S * (2 * between - 1) : 0);
  const most = between > 1 ? tokensOf(shape) : Math.max(first, T - L + S);
  const shared = most * (stepBenchFloats(shape) + heads * distancesOf(shape));
  const kept = T * (4 * layers + 3) * D + S * D * (1 + 2 * layers * between) + 3 * (between + 1);
  return tokens * ((layers + 1) * D + layers * stepLayerFloats(shape)) + shared + kept;
}
