import { linear, type Linear } from '../dense/linear.ts';
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

/** Sizes of a gated transformer over the steps of an episode; gtrxlNetwork.ts says what it computes. */
export type GtrxlShape = LayerShape & {
  /** number of observation bits */
  readonly features: number;
  readonly layers: number;
  /** M: steps before a segment that are read */
  readonly memory: number;
  /** steps of a segment: gradients go back to its first step */
  readonly segment: number;
  /** b of the gates: the larger, the nearer to the identity at the start */
  readonly gateBias: number;
  readonly actions: number;
  readonly critic: boolean;
  readonly values?: 1 | 2;
};

/** Numbers that come out for one step: logits, then values. */
export const gtrxlOutputs = (shape: GtrxlShape): number => shape.actions + valuesOf(shape);

/** Distances with a bias of their own, 0 … ; and steps whose keys and values are kept. */
export const reachOf = ({ memory, segment }: GtrxlShape): number => memory + segment;

/**
 * Steps before one that count for it: a layer reads back to M steps before the segment, at most M + L − 1 steps, and what it
 * reads there was computed from what the layer below read.
 */
export const readsOf = (shape: GtrxlShape): number => shape.layers * (reachOf(shape) - 1);

/** Numbers that are remembered of an episode: keys and values of each layer for the last M + L steps. */
export const memoryOf = (shape: GtrxlShape): number => shape.layers * reachOf(shape) * 2 * shape.width;

/** Where each tensor lies in the flat vector: input [F, D] with bias, layers, head [D, n] with bias. */
export function gtrxlLayout(shape: GtrxlShape): Layout {
  const { features, width: D, layers } = shape;
  return layTensors([
    ...product(0, ['in', 'inbias'], features, D),
    ...Array.from({ length: layers }, (_, l) => layerTensors(shape, l, reachOf(shape))).flat(),
    ...product(layers, ['out', 'outbias'], D, gtrxlOutputs(shape)),
  ]);
}

/** The products of the input and of the head. */
export function endsOf(shape: GtrxlShape, at: Readonly<Record<string, number>>): readonly [Linear, Linear] {
  const { features, width: D } = shape;
  return [linear(features, D, at['in']!, at['inbias']!), linear(D, gtrxlOutputs(shape), at['out']!, at['outbias']!)];
}

/**
 * Initial weights: products N(0, 1/in), of the input 1/active inputs; the two of a layer that write to the stream divided by
 * √(2·layers); gates N(0, 1/(4D)) with bias b; gains 1, other biases 0; the policy head × 0.01.
 */
export function gtrxlWeights(
  shape: GtrxlShape,
  { seed, activeInputs }: { readonly seed: number; readonly activeInputs: number },
  theta: Float32Array,
  at = 0,
): void {
  const { width, layers, actions, gateBias } = shape;
  startWeights(gtrxlLayout(shape), gateBias, { seed, theta, at }, (name, rows, column) => {
    if (name === 'in') return 1 / Math.sqrt(Math.max(1, activeInputs));
    if (name === 'out') return (column < actions ? 0.01 : 1) / Math.sqrt(width);
    return layerScale(name, rows, layers);
  });
}

/** Steps that the CPU answers at once, and rows for them and for the steps before them that count. */
export const GTRXL_CHUNK = 128;
export const rowsOf = (shape: GtrxlShape): number => GTRXL_CHUNK + readsOf(shape);

/** Floats of the kernels on the CPU: activations of the rows with their gradients, and scratch for what is copied in. */
export function gtrxlFloats(shape: GtrxlShape, layout: Layout): KernelFloats {
  const { features, width: D, hidden: F, layers } = shape;
  const words = Math.ceil(features / 32);
  const n = gtrxlOutputs(shape);
  const rows = rowsOf(shape);
  return {
    arrays: rows * ((layers + 1) * D + layers * (32 * D + 2 * F + 2) + 20 * D + F) + GTRXL_CHUNK * (2 * n + 2 * D),
    scratch: 2 * layout.size + rows * (words + 1) + 9 * Math.max(rows, F, 3 * D, n) + 32 * words + 200,
  };
}

/** Floats of a replica on WebGPU: the stream, what each layer keeps of a step, scratch, and gradients; and what is small. */
export function gtrxlGpuFloats(shape: GtrxlShape): { readonly perStep: number; readonly once: number } {
  const { width: D, layers, heads } = shape;
  const kept = (layers + 1) * D + layers * stepLayerFloats(shape);
  return { perStep: kept + stepBenchFloats(shape) + 3 * D + heads * reachOf(shape), once: 2 + 8 + 24 * layers };
}
