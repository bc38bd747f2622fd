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
  { theta, m, v, before }: Trained,
  gradient: Float32Array,
  step: number,
  learningRate: number,
): boolean {
  const size = theta.length;
  before.set(theta);
  before.set(m, size);
  before.set(v, size * 2);
  plan.optimizer.step(theta, gradient, m, v, step, learningRate, plan.optimizerParams);
  if (theta.every(Number.isFinite)) return true;
  theta.set(before.subarray(0, size));
  m.set(before.subarray(size, size * 2));
  v.set(before.subarray(size * 2));
  return false;
}
