import type { Plan } from '../plan.ts';

/**
 * True for what only the CPU path does: objectives that look at a whole minibatch before they judge single units, where
 * those are words or need the gradient of single trajectories.
 */
export function needsCpu({ objective, objectiveParams, policy }: Plan): boolean {
  if (objective.survey === undefined) return false;
  return policy.kind !== 'dense' || objective.readsScores?.(objectiveParams as never) === true;
}
