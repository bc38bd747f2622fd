import { AGGREGATES } from '../../core/aggregate.ts';
import type { Plan } from '../plan.ts';

/** How the kernel `weights` averages the losses of a plan: the place in AGGREGATES, or 4 where left-out episodes count. */
export const weightMode = ({ aggregate, countsMasked }: Plan): number =>
  countsMasked ? AGGREGATES.length : AGGREGATES.indexOf(aggregate);
