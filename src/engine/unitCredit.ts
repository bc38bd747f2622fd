import { wordsOf } from '../networks/policy.ts';
import { assert } from '../core/assert.ts';
import type { Batch } from '../contract/columns.ts';
import type { Plan } from './plan.ts';

/** Units of a step at most whose advantages are their own; 0 where those of a step share one. */
export function creditedUnits({ estimator, policy, revisions }: CreditForm): number {
  const K = wordsOf(policy)?.decisions ?? 0;
  if (estimator.perUnit !== true || K === 0) return 0;
  assert(revisions.length === 0, 'Credit of units is not changed between estimator and objective: turn that off.');
  return K;
}
type CreditForm = Pick<Plan, 'estimator' | 'policy' | 'revisions'>;

/**
 * What charts and metrics show of units [B, T, K] with advantages of their own: A of a step is the mean over its units, of
 * which `countAt` tells the number.
 */
export function meanOfUnits(
  units: Float32Array,
  { T, length }: Pick<Batch, 'T' | 'length'>,
  countAt: (step: number) => number,
  A: Float32Array,
): void {
  const K = units.length / A.length;
  for (let step = 0; step < A.length; step++) {
    const n = step % T < length[Math.floor(step / T)]! ? countAt(step) : 0;
    let sum = 0;
    for (let d = 0; d < n; d++) sum += units[step * K + d]!;
    A[step] = n > 0 ? sum / n : 0;
  }
}
