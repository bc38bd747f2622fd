import { adam, wholePower } from '../../slots/optimizer/adam.ts';
import type { Kernels } from '../../networks/kernels.ts';
import type { Plan } from '../plan.ts';

/** One network with its moments, and room for a copy of the three. */
export type Trained = {
  readonly theta: Float32Array;
  readonly m: Float32Array;
  readonly v: Float32Array;
  readonly before: Float32Array;
};

/** One optimizer step; if a parameter would not be finite everything goes back to where it was. False then. */
export function guardedStep(
  plan: Plan,
  kernels: Kernels,
  trained: Trained,
  gradient: Float32Array,
  step: number,
  learningRate: number,
): boolean {
  const { theta, m, v, before } = trained;
  const size = theta.length;
  before.set(theta);
  before.set(m, size);
  before.set(v, size * 2);
  const isFinite = fastStep(plan, kernels, trained, gradient, step, learningRate);
  if (isFinite ?? slowStep(plan, trained, gradient, step, learningRate)) return true;
  theta.set(before.subarray(0, size));
  m.set(before.subarray(size, size * 2));
  v.set(before.subarray(size * 2));
  return false;
}

/** The step by its definition; whether all parameters are finite. */
function slowStep(plan: Plan, { theta, m, v }: Trained, gradient: Float32Array, step: number, rate: number): boolean {
  plan.optimizer.step(theta, gradient, m, v, step, rate, plan.optimizerParams);
  for (let k = 0; k < theta.length; k++) if (!Number.isFinite(theta[k]!)) return false;
  return true;
}

/** Adam has a kernel with the same bits; null for the others, and where the kernel is not there. */
function fastStep(
  plan: Plan,
  kernels: Kernels,
  { theta, m, v }: Trained,
  gradient: Float32Array,
  step: number,
  learningRate: number,
): boolean | null {
  // the function itself, not its name: who watches the steps stands before it
  if (plan.optimizer.step !== adam.step) return null;
  const { beta1, beta2, epsilon, weightDecay } = plan.optimizerParams as Record<
    'beta1' | 'beta2' | 'epsilon' | 'weightDecay',
    number
  >;
  const corrections = { c1: 1 - wholePower(beta1, step), c2: 1 - wholePower(beta2, step) };
  return kernels.adam(theta, gradient, m, v, { beta1, beta2, epsilon, weightDecay, ...corrections, learningRate });
}
