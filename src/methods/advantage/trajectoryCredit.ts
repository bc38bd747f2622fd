import { fillSteps, groupsOf, type Batch } from '../../core/batch.ts';
import { leaveOneOut, normalize, type NormalizeMode } from '../../core/stats.ts';
import { normalizeHeads, taskHeads } from './segments.ts';

type Judged = Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'outcome'>;

/** One number per trajectory, compared inside each task group by `compare`, written to every real step. */
export function trajectoryCredit(batch: Judged, compare: (R: Float64Array) => Float64Array): Float32Array {
  const A = new Float32Array(batch.B * batch.T);
  for (const group of groupsOf(batch)) {
    const advantage = compare(Float64Array.from(group, (i) => batch.outcome[i]!));
    group.forEach((i, k) => fillSteps(A, batch, i, advantage[k]!));
  }
  return A;
}

/** Credit of whole trajectories that other methods refine: Normalize(R) (GRPO) or LeaveOneOut(R) (RLOO). */
export function baseCredit(batch: Judged, base: 'grpo' | 'rloo' = 'grpo'): Float32Array {
  return trajectoryCredit(batch, base === 'rloo' ? leaveOneOut : (R) => normalize(R, 'std'));
}

/** R on every real step. */
export function outcomeOnSteps(batch: Judged): Float32Array {
  const R = new Float32Array(batch.B * batch.T);
  for (let i = 0; i < batch.B; i++) fillSteps(R, batch, i, batch.outcome[i]!);
  return R;
}

/** Normalize(R) over the task group, where each trajectory counts once or once per step. */
export function outcomeCredit(batch: Judged, mode: NormalizeMode, rows: 'trajectories' | 'steps'): Float32Array {
  if (rows === 'trajectories') return trajectoryCredit(batch, (R) => normalize(R, mode));
  return normalizeHeads(outcomeOnSteps(batch), taskHeads(batch), mode);
}

/** The parts added up, in f64 before the one rounding. */
export function sumOfParts(parts: Readonly<Record<string, Float32Array>>): Float32Array {
  const list = Object.values(parts);
  const total = new Float64Array(list[0]?.length ?? 0);
  for (const part of list) for (let k = 0; k < total.length; k++) total[k]! += part[k]!;
  return Float32Array.from(total);
}
