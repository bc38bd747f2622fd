import type { Task } from '../contract/tasks.ts';
import type { Plan } from './plan.ts';
import { triesOf } from './plannedRows.ts';

/**
 * Rows of the block that the rows of a task lie in, as kernels read it: G where every task has as many, B where groups may
 * be unequal and `taskIndex` alone says where their rows are.
 */
export const blockOf = ({ B, G, source, scheme }: Pick<Plan, 'B' | 'G' | 'source' | 'scheme'>): number =>
  source.unequal === true || (scheme?.spare ?? 0) > 0 ? B : G;

/** What a task source gave to a batch that trains must be what it says that it gives. */
export function checkTries(plan: Plan, tasks: readonly Task[]): void {
  const { source, P } = plan;
  const usual = triesOf(plan);
  if (tasks.length !== P)
    throw new Error(`The task source “${source.title}” gave ${tasks.length} tasks to a batch of ${P}.`);
  for (const { tries } of tasks)
    if (source.unequal ? tries < 1 : tries !== usual)
      throw new Error(`The task source “${source.title}” gave a task ${tries} tries, where all have ${usual}.`);
}
