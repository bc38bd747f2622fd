import { creditedUnits } from '../config/runModules.ts';
import { assert } from '../core/assert.ts';
import type { Batch, Columns } from '../contract/columns.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Credit, Estimator } from '../slots/types.ts';
import type { Plan } from './plan.ts';

/** Nothing changes advantages of units between estimator and objective; the form says so before. */
export function checkUnitCredit(plan: Pick<Plan, 'estimator' | 'policy' | 'revisions'>): void {
  const isRevised = creditedUnits(plan) > 0 && plan.revisions.length > 0;
  assert(!isRevised, 'Credit of units is not revised: turn that off.');
}

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

/** What an estimator makes of a batch, as credit of steps [B, T]: of one that credits units, their mean. */
export function creditOfSteps(
  estimator: Pick<Estimator, 'run' | 'perUnit'>,
  batch: Batch,
  params: AnyValues,
): Pick<Credit, 'A' | 'parts'> {
  const { A, parts } = estimator.run(batch, params as never);
  const { units } = batch;
  if (estimator.perUnit !== true || !units) return { A, ...(parts ? { parts } : {}) };
  const mean = new Float32Array(batch.B * batch.T);
  meanOfUnits(A, batch, (step) => units[step]!, mean);
  return { A: mean };
}

/**
 * Keeps the credit of replica s. Of units [B, T, K] with advantages of their own a step shows the mean, and of targets of
 * their own that of its first unit, before which V is V(o).
 */
export function keepCredit(
  { A, target }: Credit,
  made: Columns,
  s: number,
  batch: Batch,
  countAt: (step: number) => number,
): void {
  const size = batch.B * batch.T;
  const credit = made.credit.subarray(s * size, (s + 1) * size);
  if (made.unitCredit.length > 0) {
    made.unitCredit.set(A, s * A.length);
    meanOfUnits(A, batch, countAt, credit);
  } else credit.set(A);
  if (!target) return;
  const K = target.length / size;
  if (made.unitTarget.length > 0) made.unitTarget.set(target, s * target.length);
  for (let step = 0; step < size; step++) made.target[s * size + step] = target[step * K]!;
}
