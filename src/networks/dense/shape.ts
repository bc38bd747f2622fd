import { gaussian } from '../../core/fmath.ts';
import { PURPOSE, randomPair, uniform } from '../../core/random.ts';
import { layTensors, product, valuesOf, type Layout } from '../layout.ts';

export type Activation = 'tanh' | 'relu' | 'gelu';

/** Activation functions as kernels know them. */
export const KIND = { tanh: 0, relu: 1, gelu: 2 } as const;

/**
 * A policy network as data: a chain of dense layers over a 0/1 observation.
 *
 *   h₀ = observation bits [F]     h_k = act(h_{k−1} W_k + b_k)     out = h_{K−1} W_K + b_K   [actions (+ 1, + 2)]
 *
 * With a critic the last output column is V(o), or the last two are V₁(o), V₂(o); the trunk is shared. A tabular softmax policy is the chain without
 * hidden layers and without bias over the one-hot index of the state: row s of W₁ holds the logits of state s.
 */
export type NetworkShape = {
  /** F: number of observation bits */
  readonly features: number;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  readonly bias: boolean;
  readonly actions: number;
  readonly critic: boolean;
  /** values beside each other where there is a critic; 1 if not said */
  readonly values?: 1 | 2;
  /** how a graphics device stores what hidden layers read while learning; floats if not said */
  readonly storage?: 'f32' | 'f16';
};

/** Layout of a chain of dense layers, with its widths [F, h₁, …, actions (+ values)]. */
export type DenseLayout = Layout & { readonly widths: readonly number[] };

/** Numbers that come out of a network: one per action, then the values. */
export function outputs(shape: NetworkShape): number {
  return shape.actions + valuesOf(shape);
}

/** Layers that read half floats: hidden ones behind a hidden one, of widths that the product takes four at a time. */
export function halfLayers({ hidden, storage }: NetworkShape): number[] {
  if (storage !== 'f16') return [];
  const isRead = (k: number): boolean => k > 0 && hidden[k - 1]! % 4 === 0 && hidden[k]! % 4 === 0 && hidden[k]! >= 8;
  return hidden.flatMap((_, k) => (isRead(k) ? [k] : []));
}

/** Is hidden layer k read or made by a layer that reads half floats? */
export const isCopied = (shape: NetworkShape, k: number): boolean =>
  [k, k + 1].some((layer) => halfLayers(shape).includes(layer));

/** Where each tensor lies in the flat vector. Weights are row-major [in, out]. Padding floats stay 0. */
export function layoutOf(shape: NetworkShape): DenseLayout {
  const widths = [shape.features, ...shape.hidden, outputs(shape)];
  const tensors = widths
    .slice(1)
    .flatMap((cols, k) => product(k, [`W${k + 1}`, shape.bias ? `b${k + 1}` : ''], widths[k]!, cols));
  return { ...layTensors(tensors), widths };
}

/**
 * Initial weights: hidden layers N(0, 1/active inputs), policy head ×0.01, value heads ×1, biases 0.
 * `activeInputs` is the usual number of ones in an observation: the fan-in of the first layer that matters.
 * A network without hidden layers (tabular) starts at exactly 0, the uniform policy.
 */
export function initialWeights(
  shape: NetworkShape,
  seed: number,
  activeInputs: number,
  out: Float32Array,
  at = 0,
): void {
  const layout = layoutOf(shape);
  out.fill(0, at, at + layout.size);
  if (shape.hidden.length === 0) return;
  const last = layout.widths.length - 2;
  layout.tensors.forEach((tensor, index) => {
    if (tensor.kind === 'bias') return;
    const fanIn = tensor.layer === 0 ? Math.max(1, activeInputs) : tensor.rows;
    const gain = shape.activation === 'tanh' ? 1 : Math.SQRT2;
    for (let k = 0; k < tensor.rows * tensor.cols; k++) {
      const [a, b] = randomPair(seed, PURPOSE.initialWeights, index, k, 0);
      const isPolicyHead = tensor.layer === last && k % tensor.cols < shape.actions;
      const scale = tensor.layer === last ? (isPolicyHead ? 0.01 : 1) : gain;
      out[at + tensor.offset + k] = (gaussian(uniform(a), uniform(b)) * scale) / Math.sqrt(fanIn);
    }
  });
}
