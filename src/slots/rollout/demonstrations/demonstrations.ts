import type { RowPlan } from '../../../contract/rows.ts';
import type { RolloutScheme, RowContext } from '../types.ts';
import { solve } from './solver.ts';

/**
 * The last `count` rows of every task group are demonstrations: the solver chooses their actions, and log π is what the
 * policy would have given them. They train, and no metric of the policy counts them. A row in which the solver does not
 * reach the goal within the step limit is left to the policy as a whole.
 */
export const demonstrations = (count: number): RolloutScheme => ({
  id: 'demonstrations',
  first: (context) => Array.from(context.tasks, (task, row) => planned(context, count, task, row)),
});

function planned(
  { env, T, tasks, level, episodeSeed, begins }: RowContext,
  count: number,
  task: number,
  row: number,
): RowPlan {
  const later = Array.from({ length: count }, (_, k) => tasks[row + 1 + k]);
  const isLast = later.some((next) => next !== task);
  const actions = isLast ? solve({ env, T, begins: begins(row) }, level(row), episodeSeed(row)) : null;
  return actions ? { task, origin: 'demo', actions, measured: false } : { task, origin: 'own' };
}
