import type { Moments } from '../../core/math/moments.ts';
import { areFinite } from '../../core/stats.ts';
import type { Kernels } from '../../networks/kernels.ts';
import type { Plan } from '../plan.ts';

/** One network with its gradient and moments, and room for a copy of all but the gradient. */
export type Trained = Moments & { readonly before: Float32Array };

/** One optimizer step; if a parameter would not be finite everything goes back to where it was. False then. */
export function guardedStep(
  plan: Plan,
  kernels: Kernels,
  trained: Trained,
  step: number,
  learningRate: number,
): boolean {
  const { theta, m, v, before } = trained;
  const { optimizer, optimizerParams } = plan;
  const size = theta.length;
  before.set(theta);
  before.set(m, size);
  before.set(v, size * 2);
  const numbers = optimizer.moments?.(step, optimizerParams as never);
  const isFinite = numbers ? kernels.moments(trained, numbers, learningRate) : null;
  if (isFinite ?? slowStep(plan, trained, step, learningRate)) return true;
  theta.set(before.subarray(0, size));
  m.set(before.subarray(size, size * 2));
  v.set(before.subarray(size * 2));
  return false;
}

/** The step by its definition; whether all parameters are finite. */
function slowStep({ optimizer, optimizerParams }: Plan, trained: Trained, step: number, rate: number): boolean {
  optimizer.step(trained, step, rate, optimizerParams);
  return areFinite(trained.theta);
}
