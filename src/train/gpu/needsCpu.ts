import { restrictionOf } from '../cpu/actionMask.ts';
import type { Plan } from '../plan.ts';

/**
 * True for what only the CPU path does: objectives that look at a whole minibatch before they judge single units, where
 * those are words or need the gradient of single trajectories; and restricted sets of words, or of actions that training
 * does not know of.
 */
export function needsCpu(plan: Plan): boolean {
  const { objective, objectiveParams, policy } = plan;
  const rule = restrictionOf(plan);
  const isSurveyed = objective.survey !== undefined;
  return (
    (isSurveyed && (policy.kind !== 'dense' || objective.readsScores?.(objectiveParams as never) === true)) ||
    (rule !== null && (policy.kind !== 'dense' || !rule.inTraining))
  );
}
