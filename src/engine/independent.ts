import { part } from '../contract/columns.ts';
import { independentShare, rootsOf, type Grouped } from '../core/batch.ts';
import { familyWeights, type FamilyWeights } from '../core/math/ess.ts';
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

/** Some rows of a batch of one replica: which, Σ Δ of each, and their groups by their place in this list. */
type Weighed = {
  readonly rows: ArrayLike<number>;
  readonly perTrajectory: Float64Array;
  readonly groups: readonly (readonly number[])[];
};

/** Log-weights of samples that are independent of each other: rows, or where rows go on from others families of them. */
export function samplesOf(
  { B, taskIndex, branchParent }: Grouped & { readonly branchParent?: Int32Array },
  { rows, perTrajectory, groups }: Weighed,
): FamilyWeights {
  if (!branchParent || branchParent.length === 0) return { logWeights: perTrajectory, groups };
  const root = rootsOf({ B, taskIndex, branchParent });
  return familyWeights(
    perTrajectory,
    Array.from(rows, (i) => root[i]!),
    groups,
  );
}
