import type { Plan } from '../plan.ts';

/** True for what only the CPU path does: objectives that weigh by the gradient of single trajectories, where actions are written. */
export function needsCpu({ objective, objectiveParams, policy }: Plan): boolean {
  return policy.kind !== 'dense' && objective.readsScores?.(objectiveParams as never) === true;
}
