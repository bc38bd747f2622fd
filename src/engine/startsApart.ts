import { isFresh } from './behavior.ts';
import type { Plan } from './plan.ts';
import { hidesRestriction } from './restriction.ts';

/** True if training may start from another policy than the one that played: old or rounded weights, or a choice of actions that training does not know of. */
export function startsApart(plan: Plan): boolean {
  return !isFresh(plan.behavior) || hidesRestriction(plan);
}
