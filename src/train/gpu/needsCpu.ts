import type { Plan } from '../plan.ts';

/** True for what only the CPU path does: objectives that look at a whole minibatch before they judge single words. */
export function needsCpu({ objective, policy }: Plan): boolean {
  return objective.survey !== undefined && policy.kind !== 'dense';
}
