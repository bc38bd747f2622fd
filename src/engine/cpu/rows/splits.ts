import type { Plan } from '../../plan.ts';
import { restrictionOf } from '../../restriction.ts';
import { rolloutOf } from '../../rolloutOf.ts';
import type { CpuPolicy } from '../policy.ts';

/** Why a part of an update stays on one core; null: its rows are spread. */
export type Splits = {
  /** the batch that trains, and what is only measured */
  readonly rollout: string | null;
  readonly measuring: string | null;
  /** looks at a batch without and with a gradient */
  readonly looks: string | null;
  readonly learning: string | null;
};

/** What of a plan can be spread row by row with the bits of one core. */
export function splitsOf(plan: Plan, { first }: Pick<CpuPolicy, 'first'>): Splits {
  const measuring = restrictionOf(plan)
    ? 'What restricts the choice of actions counts what it removes, in the order of the rows.'
    : rolloutOf(plan).module.memory
      ? 'The rollout writes into states what it remembers.'
      : null;
  const rollout = plan.scheme
    ? 'Rows are planned in phases, and later ones look at earlier ones.'
    : plan.behavior.lag > 0
      ? 'Several versions of the weights play.'
      : measuring;
  const learning = first
    ? null
    : 'The network adds to a parameter several times in a pass, in an order that one core keeps.';
  return { rollout, measuring, looks: null, learning };
}
