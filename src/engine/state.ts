import type { TrainState } from '../contract/state.ts';
import { cloning } from './clone.ts';
import type { Plan } from './plan.ts';

/** Lets others have a turn; throws where nobody wants the result any more. */
export type Turn = () => Promise<void>;

/** The state before the first update, all at once. */
export function initialState(plan: Plan): TrainState {
  const making = makeState(plan);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

/** The same with turns for others in between: with solutions to clone it takes long. */
export async function initialStateInTurns(plan: Plan, turn: Turn): Promise<TrainState> {
  const making = makeState(plan);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
    await turn();
  }
}

/** Before the first update: every replica's own initial weights (after cloning, if asked for), reference = initial policy. */
function* makeState(plan: Plan): Generator<void, TrainState> {
  const size = plan.layout.size;
  const theta = new Float32Array(plan.S * size);
  const { policy } = plan;
  for (let s = 0; s < plan.S; s++) {
    const from = { seed: plan.seeds[s]!, activeInputs: plan.activeInputs[s]! };
    policy.network.start(policy, from, theta, s * size);
  }
  yield* cloning(plan, theta);
  // everything else begins by itself, once a backend takes the state over
  return { update: 0, steps: 0, tensors: { theta, reference: theta.slice() } };
}
