import { backwardInduction } from '../core/dp.ts';
import { enumerate } from '../envs/enumerate.ts';
import { makeTasks, type Plan } from '../engine/plan.ts';

/** Larger levels are not worked out: a run must not wait for its monitor. */
const STATES = 2_000;
const PAIRS = 100_000;

/**
 * Success of the best policy on the level of each replica, by backward induction: below 1 where the floor is slippery,
 * so that a policy is not called poor for what chance decides. 1 where the world leaves nothing to chance, where levels
 * differ, or where a level is too large to tell.
 */
export function successCeilings(plan: Plan, isOneLevel: boolean): number[] {
  const none = Array.from({ length: plan.S }, () => 1);
  if (!isOneLevel || plan.env !== plan.bareEnv) return none;
  const { levels, levelOf } = makeTasks(plan, 0, 'eval');
  const found = levels.map((level) => {
    if (plan.env.chances(level) <= 1) return 1;
    const all = enumerate(plan.env, level, STATES);
    if (!all || all.model.states * plan.T > PAIRS) return 1;
    return backwardInduction(all.model, null, plan.T, 1, 'success').V[0]!;
  });
  return none.map((_, s) => found[levelOf[s * plan.B]!]!);
}
