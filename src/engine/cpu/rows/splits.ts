import type { Plan } from '../../plan.ts';
import { restrictionOf } from '../../restriction.ts';
import { rolloutOf } from '../../rolloutOf.ts';

/** Why the episodes of a plan are played on one core; null: their rows are spread. What looks at a batch always is. */
export function playsOnOne(plan: Plan): string | null {
  if (restrictionOf(plan))
    return 'What restricts the choice of actions counts what it removes, in the order of the rows.';
  return rolloutOf(plan).module.memory ? 'The rollout writes into states what it remembers.' : null;
}
