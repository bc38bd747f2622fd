import { gaussian } from '../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../core/random.ts';
import { linear, type Linear } from '../dense/linear.ts';
import { layTensors, product, valuesOf, type Layout, type Tensor } from '../layout.ts';

/** Sizes of a gated recurrent unit with a linear head; see gruNetwork.ts for what it computes. */
export type GruShape = {
  /** F: number of observation bits */
  readonly features: number;
  /** H: numbers of the memory */
  readonly hidden: number;
  /** steps over which a gradient goes back; 0: to the start of the episode */
  readonly unroll: number;
  readonly actions: number;
  readonly critic: boolean;
  readonly values?: 1 | 2;
};

/** Numbers that come out for one step: logits, then values. */
export const gruOutputs = (shape: GruShape): number => shape.actions + valuesOf(shape);

/** Where each tensor lies in the flat vector: input [F, 3H] with bias, memory [H, 3H] with bias, head [H, n] with bias. */
export function gruLayout(shape: GruShape): Layout {
  const { features: F, hidden: H } = shape;
  return layTensors([
    ...product(0, ['W', 'b'], F, 3 * H),
    ...product(1, ['U', 'c'], H, 3 * H),
    ...product(2, ['V', 'd'], H, gruOutputs(shape)),
  ]);
}

/** The three products: of the input, of the memory, of the head. */
export function gruLayers(shape: GruShape, { tensors }: Layout): readonly [Linear, Linear, Linear] {
  const { features, hidden: H } = shape;
  const at = (layer: number, kind: Tensor['kind']): number =>
    tensors.find((t) => t.layer === layer && t.kind === kind)!.offset;
  const layer = (k: number, inputs: number, out: number): Linear => linear(inputs, out, at(k, 'weight'), at(k, 'bias'));
  return [layer(0, features, 3 * H), layer(1, H, 3 * H), layer(2, H, gruOutputs(shape))];
}

/**
 * Initial weights: products N(0, 1/in), of the input 1/active inputs; the policy head × 0.01, so that the policy starts
 * nearly uniform; biases 0.
 */
export function gruWeights(shape: GruShape, seed: number, activeInputs: number, out: Float32Array, at = 0): void {
  const layout = gruLayout(shape);
  out.fill(0, at, at + layout.size);
  layout.tensors.forEach(({ layer, kind, rows, cols, offset }, index) => {
    if (kind === 'bias') return;
    const fanIn = layer === 0 ? Math.max(1, activeInputs) : rows;
    for (let k = 0; k < rows * cols; k++) {
      const [a, b] = randomPair(seed, PURPOSE.initialWeights, index, k, 0);
      const scale = layer === 2 && k % cols < shape.actions ? 0.01 : 1;
      out[at + offset + k] = (gaussian(uniform(a), uniform(b)) * scale) / Math.sqrt(fanIn);
    }
  });
}

/** Steps that the CPU answers at once, and steps before them that it reads again to know what is remembered. */
export const GRU_CHUNK = 128;
export const GRU_ROWS = 9 * GRU_CHUNK;
/** Steps of the longest episode whose gradient goes back as a whole, wherever a chunk begins. */
export const GRU_STEPS = GRU_ROWS - GRU_CHUNK;
/** Numbers of a step while learning: both products, four gates, memory before and after, and three gradients. */
export const GRU_STEP = 16;

/** Floats of the kernels on the CPU: activations of the rows, and scratch for what is copied in and packed. */
export function gruFloats(shape: GruShape, layout: Layout): { readonly arrays: number; readonly scratch: number } {
  const { features, hidden: H } = shape;
  const words = Math.ceil(features / 32);
  const n = gruOutputs(shape);
  return {
    arrays: GRU_ROWS * 18 * H + GRU_CHUNK * (2 * n + 8 * H),
    scratch: 2 * layout.size + GRU_ROWS * (words + 1) + 9 * Math.max(GRU_ROWS, 3 * H, n) + 32 * words + 200,
  };
}
