import type { Batch } from '../../contract/columns.ts';
import type { Estimator } from '../types.ts';
import { given } from './given.ts';

/**
 * An estimator whose anchor groups span all tasks of a batch that play the same level (BQ-NCO's keys, arXiv 2301.03313): a state is
 * compared with what followed it in any of them. Episodes are still compared within their task. Groups are found on the CPU.
 */
export function withLevelPools(estimator: Estimator, pools: boolean): Estimator {
  if (!pools || !estimator.poolsLevels) return estimator;
  const { gpu: _onCpu, explain, ...rest } = estimator;
  const pooled = (batch: Batch): Batch => ({ ...batch, pools: given(batch, 'levelPool') });
  // no record of its own: a build takes apart what records compute with
  const made: Estimator = {
    ...rest,
    needs: [...new Set([...estimator.needs, 'levelPool'] as const)],
    run: (batch, params) => estimator.run(pooled(batch), params),
    ...(explain && { explain: (batch, params, step) => explain(pooled(batch), params, step) }),
  };
  return made;
}
