import { gaussian } from '../src/core/fmath.ts';
import { randomPair, uniform } from '../src/core/random.ts';
import { layoutOf, type DenseLayout, type NetworkShape } from '../src/networks/dense/shape.ts';

/** `count` numbers from N(0, scale²), the same everywhere. The purpose 255 belongs to no run. */
export function gaussians(seed: number, count: number, scale = 1): Float32Array {
  return Float32Array.from({ length: count }, (_, k) => {
    const [a, b] = randomPair(seed, 255, k, 0, 0);
    return gaussian(uniform(a), uniform(b)) * scale;
  });
}

/** The training step that everyone does: inputs → hidden relu → logits, mean cross-entropy, Adam at the usual settings. */
export type Step = {
  readonly rows: number;
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
  readonly layout: DenseLayout;
  readonly X: Float32Array;
  readonly labels: Uint32Array;
  /** initial parameters in the layout: W1, b1, W2, b2 */
  readonly theta: Float32Array;
};

export const ADAM = { learningRate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 } as const;
/** steps after which everyone must have the same parameters */
export const CHECK_STEPS = 3;

export const shapeOf = (inputs: number, hidden: number, classes: number): NetworkShape => ({
  ...{ features: inputs, hidden: [hidden], activation: 'relu', bias: true },
  ...{ actions: classes, critic: false },
});

export function stepProblem(rows: number, inputs = 128, hidden = 128, classes = 4): Step {
  const layout = layoutOf(shapeOf(inputs, hidden, classes));
  const theta = new Float32Array(layout.size);
  layout.tensors.forEach(({ kind, rows: r, cols, offset }, k) => {
    theta.set(gaussians(40 + k, r * cols, kind === 'weight' ? Math.sqrt(2 / r) : 0.1), offset);
  });
  const X = gaussians(7, rows * inputs);
  const labels = Uint32Array.from(
    { length: rows },
    (_, r) => (X[r * inputs]! > 0 ? 1 : 0) + (X[r * inputs + 1]! > 0 ? 2 : 0),
  );
  return { rows, inputs, hidden, classes, layout, X, labels, theta };
}

/** W1, b1, W2, b2 as arrays of their own. */
export const tensorsOf = ({ layout, theta }: Step): Float32Array[] =>
  layout.tensors.map(({ offset, rows, cols }) => theta.slice(offset, offset + rows * cols));

/** The parameters of everyone in one vector, without padding. */
export const joined = (tensors: readonly ArrayLike<number>[]): Float32Array =>
  Float32Array.from(tensors.flatMap((tensor) => Array.from(tensor)));

/** Floating-point operations of one step: three products per layer, without the input gradient of the first. */
export const stepFlops = ({ rows, inputs, hidden, classes }: Step): number =>
  2 * rows * hidden * (2 * inputs + 3 * classes);

/** Parameters without the padding of the layout. */
export const withoutPadding = ({ layout }: Step, theta: Float32Array): Float32Array =>
  Float32Array.from(
    layout.tensors.flatMap(({ offset, rows, cols }) => Array.from(theta.subarray(offset, offset + rows * cols))),
  );
