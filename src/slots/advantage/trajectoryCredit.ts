import type { Batch } from '../../contract/columns.ts';
import { fillSteps, groupsOf } from '../../core/batch.ts';
import { EPSILON, leaveOneOut, normalize, std, type NormalizeMode } from '../../core/stats.ts';
import type { Column, CreditOps, Rows } from '../types.ts';

type Judged = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'outcome'>;
type Compare = (R: Float64Array) => ArrayLike<number>;

/** What a set with one member gives it: nothing, or its return, as if the others had returned 0 with a spread of 1. */
export type Singleton = 'zero' | 'return';

/** How the outcomes of a set are compared. `leaveOneOutStd`: divided by the spread of the set over n. */
export type OutcomeRule = NormalizeMode | 'leaveOneOut' | 'leaveOneOutStd';

/** The members of a set of trajectories as statistics count them: each once, or once for each of its steps. */
export function rowsOf(batch: Pick<Batch, 'length'>, set: readonly number[], rows: Rows): readonly number[] {
  return rows === 'steps' ? set.flatMap((i) => new Array<number>(batch.length[i]!).fill(i)) : set;
}

/** `compare` on the outcomes of a set of trajectories; one number for each of them, in order. */
export function compareSet(batch: Judged, set: readonly number[], compare: Compare, rows: Rows): number[] {
  const members = rowsOf(batch, set, rows);
  const compared = compare(Float64Array.from(members, (i) => batch.outcome[i]!));
  let at = 0;
  return set.map((i) => {
    const value = compared[at]!;
    at += rows === 'steps' ? batch.length[i]! : 1;
    return value;
  });
}

/** One number per trajectory, compared inside each task group by `compare`, written to every real step. */
export function trajectoryCredit(batch: Judged, compare: Compare, rows: Rows): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  for (const group of groupsOf(batch)) {
    const advantage = compareSet(batch, group, compare, rows);
    group.forEach((i, k) => fillSteps(A, batch, i, advantage[k]!));
  }
  return A;
}

/** `rule` on a set of numbers. */
export function compareBy(x: ArrayLike<number>, rule: OutcomeRule): Float64Array {
  switch (rule) {
    case 'std':
    case 'mean':
      return normalize(x, rule);
    case 'leaveOneOut':
      return leaveOneOut(x);
    case 'leaveOneOutStd': {
      const scale = std(x, true) + EPSILON;
      return leaveOneOut(x).map((a) => a / scale);
    }
  }
}

/**
 * The outcome of a trajectory among those of its task group, on each of its real steps.
 *
 *   rows 'trajectories':  the set is R[i], each trajectory once (papers, DrMAS)
 *   rows 'steps':         the set is R[i], T_i times each: mean, spread and number of members weigh by length (verl-agent)
 *
 * With steps the “others” of leave-one-out hold the other steps of the same trajectory. In groups of equal lengths the mean
 * is the same.
 */
export function outcomeCredit(
  batch: Judged,
  rule: OutcomeRule,
  rows: Rows,
  singleton: Singleton = 'zero',
): Float32Array {
  return trajectoryCredit(batch, (R) => (R.length === 1 && singleton === 'return' ? R : compareBy(R, rule)), rows);
}

/** The same on the GPU. */
export function outcomeOnGpu(ops: CreditOps, rule: OutcomeRule, rows: Rows, singleton: Singleton): Column {
  const A = ops.normalize(ops.outcome, 'task', rule, rows);
  if (singleton === 'zero') return ops.broadcast(A);
  return ops.combine(1, A, 1, ops.normalize(ops.outcome, 'task', 'alone', rows));
}

/** Credit of whole trajectories that other methods refine: Normalize(R) (GRPO) or LeaveOneOut(R) (RLOO). */
export function baseCredit(batch: Judged, base: 'grpo' | 'rloo' = 'grpo', rows: Rows = 'trajectories'): Float32Array {
  return outcomeCredit(batch, base === 'rloo' ? 'leaveOneOut' : 'std', rows);
}

/** R on every real step. */
export function outcomeOnSteps(batch: Judged): Float32Array {
  const R = new Float32Array(batch.B * batch.T);
  for (let i = 0; i < batch.B; i++) fillSteps(R, batch, i, batch.outcome[i]!);
  return R;
}

/** The parts added up, in f64 before the one rounding. */
export function sumOfParts(parts: Readonly<Record<string, Float32Array>>): Float32Array {
  const list = Object.values(parts);
  const total = new Float64Array(list[0]?.length ?? 0);
  for (const part of list) for (let k = 0; k < total.length; k++) total[k]! += part[k]!;
  return new Float32Array(total);
}
