import { initialWeights } from '../policies/network.ts';
import { transformerWeights } from '../policies/transformer/shape.ts';
import type { TrainState } from './backend.ts';
import { cloneSolutions } from './clone.ts';
import type { Plan } from './plan.ts';

/** The state before the first update: every replica's own initial weights (after cloning, if asked for), moments 0, reference = initial policy. */
export function initialState(plan: Plan): TrainState {
  const size = plan.layout.size;
  const theta = new Float32Array(plan.S * size);
  const { policy } = plan;
  for (let s = 0; s < plan.S; s++) {
    if (policy.kind === 'dense') initialWeights(policy.shape, plan.seeds[s]!, plan.activeInputs, theta, s * size);
    else transformerWeights(policy.shape, plan.seeds[s]!, theta, s * size);
  }
  cloneSolutions(plan, theta);
  return {
    update: 0,
    steps: 0,
    theta,
    m: new Float32Array(plan.S * size),
    v: new Float32Array(plan.S * size),
    reference: theta.slice(),
  };
}
