import { denseFloats, CHUNK } from '../dense/floats.ts';
import {
  initialWeights,
  layoutOf,
  outputs,
  type Activation,
  type DenseLayout,
  type NetworkShape,
} from '../dense/shape.ts';
import type { KernelFloats } from '../kernelFloats.ts';
import type { Layout } from '../layout.ts';
import type { Shape } from '../types.ts';

/** Two chains of dense layers over the same observation, and the bound c. */
export type ResidualShape = Shape & {
  readonly features: number;
  readonly hidden: readonly number[];
  readonly activation: Activation;
  readonly bound: number;
};

export type ResidualLayout = Layout & { readonly deltaAt: number };

type Chain = { readonly shape: NetworkShape; readonly layout: DenseLayout };

const chainOf = (shape: NetworkShape): Chain => ({ shape, layout: layoutOf(shape) });

/** The base has logits only. */
export const baseOf = ({ features, hidden, activation, actions }: ResidualShape): Chain =>
  chainOf({ features, hidden, activation, actions, bias: true, critic: false });

/** Δ and the values of a critic. */
export const deltaOf = ({ features, hidden, activation, actions, critic, values }: ResidualShape): Chain =>
  chainOf({ features, hidden, activation, actions, bias: true, critic, ...(values ? { values } : {}) });

/** The base, then Δ. */
export function residualLayout(shape: ResidualShape): ResidualLayout {
  const [base, delta] = [baseOf(shape).layout, deltaOf(shape).layout];
  const deltaAt = base.size;
  const layers = base.widths.length - 1;
  return {
    tensors: [
      ...base.tensors.map((tensor) => ({ ...tensor, name: `base ${tensor.name}` })),
      ...delta.tensors.map((tensor) => ({
        ...{ ...tensor, name: `Δ ${tensor.name}` },
        ...{ layer: tensor.layer + layers, offset: tensor.offset + deltaAt },
      })),
    ],
    size: base.size + delta.size,
    parameters: base.parameters + delta.parameters,
    deltaAt,
  };
}

/** Initial weights: a base like that of an MLP, and Δ = 0 by zeros in the columns of its logits. */
export function residualWeights(
  shape: ResidualShape,
  from: { readonly seed: number; readonly activeInputs: number },
  theta: Float32Array,
  at: number,
): void {
  const [base, delta] = [baseOf(shape), deltaOf(shape)];
  const deltaAt = at + base.layout.size;
  initialWeights(base.shape, from.seed, from.activeInputs, theta, at);
  initialWeights(delta.shape, from.seed, from.activeInputs, theta, deltaAt);
  const last = delta.layout.tensors.findLast(({ kind }) => kind === 'weight')!;
  for (let row = 0; row < last.rows; row++) {
    const first = deltaAt + last.offset + row * last.cols;
    theta.fill(0, first, first + shape.actions);
  }
}

export function residualFloats(shape: ResidualShape): KernelFloats {
  const [base, delta] = [baseOf(shape), deltaOf(shape)].map(({ shape: own, layout }) => denseFloats(own, layout));
  return {
    arrays: base!.arrays + delta!.arrays + 2 * CHUNK * outputs(deltaOf(shape).shape),
    scratch: base!.scratch + delta!.scratch,
  };
}
