import type { Plan } from '../../plan.ts';
import { restrictionOf } from '../../restriction.ts';
import { rolloutOf } from '../../rolloutOf.ts';

/** Why episodes are played on one core; null: their rows are spread. What looks at a batch always is. */
export type Splits = {
  /** the batch that trains, and what is only measured */
  readonly rollout: string | null;
  readonly measuring: string | null;
};

/** What of a plan can be spread row by row with the bits of one core. */
export function splitsOf(plan: Plan): Splits {
  const measuring = restrictionOf(plan)
    ? 'What restricts the choice of actions counts what it removes, in the order of the rows.'
    : rolloutOf(plan).module.memory
      ? 'The rollout writes into states what it remembers.'
      : null;
  const rollout = plan.behavior.lag > 0 ? 'Several versions of the weights play.' : measuring;
  return { rollout, measuring };
}
