import { backwardInduction } from '../../core/dp.ts';
import { Grounds } from '../../lab/creditGround.ts';
import { panelLevels } from '../../engine/plan.ts';
import type { TrainedArm } from '../trainedArm.ts';
import { measure } from './types.ts';

/**
 * Chance of success of the policy of each seed on the first level of the whole task, by backward induction, after its last
 * update or, `before`, as it played the last batch. Throws where the level has too many states.
 */
export async function chances(arm: TrainedArm, when: 'after' | 'before' = 'after'): Promise<number[]> {
  if (arm.updates === 0) throw new Error(`${arm.label} has played no batch yet.`);
  const { plan } = arm.run;
  const grounds = new Grounds(plan);
  const found: number[] = [];
  for (let s = 0; s < arm.S; s++) {
    const level = panelLevels(plan, s, 1)[0]!;
    const seen = grounds.of(level)?.seen;
    if (!seen) throw new Error('There is no exact success here: the task has too many states.');
    const { theta, after, restriction } = await arm.view(s);
    const policy = grounds.policyOf(level, seen, when === 'after' ? after : theta, restriction);
    found.push(backwardInduction(seen.model, policy, plan.T, 1, 'success').V[0]!);
  }
  return found;
}

export const exactSuccess = measure({
  id: 'exactSuccess',
  doc: 'exactSuccess(arm): chance that the policy reaches the goal of the whole task after the last update, computed and not sampled, per seed.',
  takes: ['arm'],
  of: (arm) => chances(arm),
});
