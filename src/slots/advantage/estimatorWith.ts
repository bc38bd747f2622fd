import { runsOnGpu } from '../../contract/module.ts';
import type { AnyValues } from '../../core/settings.ts';
import { asMade, countsWords, type Estimator } from '../types.ts';

/** The estimator as its settings and the policy make it: without `gpu` where that does not know them. */
export function estimatorWith(record: Estimator, params: AnyValues, writes: boolean): Estimator {
  const estimator = asMade(record, params);
  if (!estimator.gpu || (runsOnGpu(estimator, params) && !countsWords(estimator, writes))) return estimator;
  return Object.fromEntries(Object.entries(estimator).filter(([part]) => part !== 'gpu')) as Estimator; // `gpu` is optional
}
