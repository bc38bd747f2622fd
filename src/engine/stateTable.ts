import { runState, withMemory, pastName } from '../config/runState.ts';
import type { NumberArray } from '../contract/numbers.ts';
import { tensorOf, type StateSizes, type StateSpec, type TrainState } from '../contract/state.ts';
import { PLAIN_STARTS, type Starts } from '../contract/stateStore.ts';
import { roundWeights } from '../networks/precision.ts';
import { unitsOfStep } from '../networks/policy.ts';
import { controlState } from './control.ts';
import type { Plan } from './plan.ts';
import { rolloutOf } from './rolloutOf.ts';

/** Every tensor that a run of this plan remembers. */
export function statesOf(plan: Plan): StateSpec {
  const { behavior, objective, estimator, optimizer, normalizesReward, control, revisions, rewards } = plan;
  const facts = {
    lag: behavior.lag,
    restricts: objective.restricts,
    hasProcess: estimator.needs.includes('logpPhi'),
    normalizes: normalizesReward,
    clock: behavior.versions.clock?.size ?? 0,
    modules: [
      ...withMemory(rewards),
      { module: estimator, params: plan.estimatorParams },
      ...revisions,
      { module: objective, params: plan.objectiveParams },
      ...control.controllers,
      { module: optimizer, params: plan.optimizerParams },
      rolloutOf(plan),
    ],
  };
  return { ...runState(facts), ...controlState(control) };
}

export const stateSizes = ({ S, P, B, T, env, layout, obsWords, policy }: Plan): StateSizes => ({
  ...{ S, parameter: layout.size, task: P, row: B, feature: 32 * obsWords },
  ...{ step: T, unit: T * unitsOfStep(policy), word: env.words, taskWord: P * env.words },
});

/** How tensors of this plan begin that a state does not hold. */
export function startsOf(plan: Plan): Starts {
  const { S, behavior, layout } = plan;
  return {
    ...PLAIN_STARTS,
    // every version is θ, rounded as it plays
    played(into: NumberArray, { tensors }: TrainState) {
      const theta = tensorOf(tensors, 'theta', 'f32');
      for (let s = 0; s < S; s++)
        roundWeights(layout, behavior.precision, theta, s * layout.size, into as Float32Array);
    },
    // where all versions begin anew, so does the count; old versions of which nobody counted have no age
    unknown(into: NumberArray, { tensors, update }: TrainState) {
      into.fill(tensors[pastName(0, behavior.lag)] ? NaN : 0);
      const slots = into.length / S;
      for (let s = 0; s < S; s++) into[s * slots + (update % slots)] = 0;
    },
  };
}
