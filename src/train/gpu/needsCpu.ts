import { isControlled } from '../control.ts';
import type { Plan } from '../plan.ts';

/**
 * True for what only the CPU path does: objectives that look at a whole minibatch before they judge single units, batches
 * of several versions of the policy, and whatever decides from measurements in the middle of a run.
 */
export function needsCpu(plan: Plan): boolean {
  return (
    plan.objective.survey !== undefined ||
    plan.behaviour.ages !== 'fixed' ||
    isControlled(plan.control) ||
    plan.control.klForm !== 'exact'
  );
}
