import { isFresh } from './behavior.ts';
import { restrictionOf } from './cpu/actionMask.ts';
import type { Plan } from './plan.ts';

/** True if training may start from another policy than the one that played: old or rounded weights, or a mask of its own. */
export function startsApart(plan: Plan): boolean {
  return !isFresh(plan.behavior) || restrictionOf(plan)?.inTraining === false;
}
