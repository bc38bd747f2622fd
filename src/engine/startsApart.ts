import { isFresh } from './behaviour.ts';
import { restrictionOf } from './cpu/actionMask.ts';
import type { Plan } from './plan.ts';

/** True if training may start from another policy than the one that played: old or rounded weights, or a mask of its own. */
export function startsApart(plan: Plan): boolean {
  return !isFresh(plan.behaviour) || restrictionOf(plan)?.inTraining === false;
}
