import type { Batch } from '../contract/columns.ts';
import { creditOfRows } from '../contract/creditSubset.ts';
import type { Credit } from '../slots/types.ts';
import type { Plan } from './plan.ts';

/**
 * The credit of a batch by the estimator of a plan. Rows that a scheme has dropped, which neither train nor are measured, are
 * in none of its statistics; their A is 0.
 */
export function creditOf(
  { estimator, estimatorParams }: Pick<Plan, 'estimator' | 'estimatorParams'>,
  batch: Batch,
): Credit {
  const { trains, measured } = batch;
  const stays = (i: number): boolean => trains?.[i] !== 0 || measured?.[i] !== 0;
  if (!trains?.some((_, i) => !stays(i))) return estimator.run(batch, estimatorParams);
  return creditOfRows({ ...estimator, run: (own) => estimator.run(own, estimatorParams) }, batch, stays);
}
