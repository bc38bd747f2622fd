import { fillSteps, groupsOf, type Batch } from '../../core/batch.ts';

/** One number per trajectory, compared inside each task group by `compare`, written to every real step. */
export function trajectoryCredit(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'outcome'>,
  compare: (R: Float64Array) => Float64Array,
): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  for (const group of groupsOf(batch)) {
    const advantage = compare(Float64Array.from(group, (i) => batch.outcome[i]!));
    group.forEach((i, k) => fillSteps(A, batch, i, advantage[k]!));
  }
  return A;
}
