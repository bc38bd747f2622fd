import type { TrainState } from '../contract/state.ts';
import type { Plan } from './plan.ts';

/** Lets others have a turn; throws where nobody wants the result any more. */
export type Turn = () => Promise<void>;

/**
 * The state before the first update: every replica's own initial weights (after cloning, if asked for), reference = initial
 * policy. With solutions to clone it takes long; `turn`: others may speak in between.
 */
export async function firstState(plan: Plan, turn?: Turn): Promise<TrainState> {
  const theta = firstWeights(plan);
  // few runs imitate
  if (plan.cloneEpisodes > 0) {
    const { cloning } = await import('./clone.ts');
    for (const _ of cloning(plan, theta)) await turn?.();
  }
  return stateOf(theta);
}

/** Initial weights of all replicas. */
function firstWeights(plan: Plan): Float32Array {
  const size = plan.layout.size;
  const theta = new Float32Array(plan.S * size);
  const { policy } = plan;
  for (let s = 0; s < plan.S; s++) {
    const from = { seed: plan.seeds[s]!, activeInputs: plan.activeInputs[s]! };
    policy.network.start(policy, from, theta, s * size);
  }
  return theta;
}

/** Everything but weights begins by itself, once a backend takes the state over. */
const stateOf = (theta: Float32Array): TrainState => ({
  ...{ update: 0, steps: 0 },
  tensors: { theta, reference: theta.slice() },
});

/** The state before the first update of a run that imitates nothing. */
export const initialState = (plan: Plan): TrainState => stateOf(firstWeights(plan));
