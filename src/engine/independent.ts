import { part } from '../contract/columns.ts';
import { independentShare, rootsOf } from '../core/batch.ts';
import type { MetricId } from '../slots/metrics/metrics.ts';
import type { Plan } from './plan.ts';

/** Puts how many episodes of a batch are independent, where rows go on from others. Columns of all replicas. */
export function putIndependent(
  { S, B }: Pick<Plan, 'S' | 'B'>,
  { branchParent }: { readonly branchParent: Int32Array },
  s: number,
  put: (s: number, id: MetricId, value: number) => void,
): void {
  if (branchParent.length === 0) return;
  // a fork is of the task of its parent
  const taskIndex = new Uint32Array(B);
  put(s, 'independent', independentShare(rootsOf({ B, taskIndex, branchParent: part(branchParent, S, s) })));
}
