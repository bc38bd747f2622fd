import { groupsOf, type Batch } from '../../core/batch.ts';
import { isDegenerate } from '../../core/stats.ts';
import { METRICS, metricIndex, type MetricId } from '../../methods/analysis/metrics.ts';
import { anchorShare } from '../../methods/analysis/anchor.ts';
import { essFromLogWeights } from '../../methods/analysis/ess.ts';
import type { Plan } from '../plan.ts';
import type { Tally } from './policy.ts';

/** Metrics that only need the batch and its credit (definitions: methods/analysis/metrics.ts). */
export function recordBatch(plan: Plan, batch: Batch, A: Float32Array, metrics: Float64Array, s: number): void {
  const put = (id: MetricId, value: number): void => void (metrics[s * METRICS + metricIndex[id]] = value);
  let steps = 0;
  let successes = 0;
  let outcome = 0;
  let entropy = 0;
  let squares = 0;
  for (let i = 0; i < plan.B; i++) {
    steps += batch.length[i]!;
    successes += batch.success[i]!;
    outcome += batch.outcome[i]!;
    for (let t = 0; t < batch.length[i]!; t++) {
      entropy += batch.entropy[i * plan.T + t]!;
      squares += A[i * plan.T + t]! * A[i * plan.T + t]!;
    }
  }
  const groups = groupsOf(batch);
  put('success', successes / plan.B);
  put('returnMean', outcome / plan.B);
  put('lengthMean', steps / plan.B);
  put('entropy', entropy / steps);
  put('creditRms', Math.sqrt(squares / steps));
  put('degenerate', groups.filter((g) => isDegenerate(g.map((i) => batch.outcome[i]!))).length / groups.length);
  put('anchorShare', anchorShare(batch));
}

/** Metrics of the update: means over its optimizer steps, and ratios of the whole batch at its end. */
export function recordUpdate(
  plan: Plan,
  batch: Batch,
  delta: Float32Array,
  learned: Tally,
  end: Tally,
  gradNorm: number,
  optimizerSteps: number,
  metrics: Float64Array,
  s: number,
): void {
  const put = (id: MetricId, value: number): void => void (metrics[s * METRICS + metricIndex[id]] = value);
  const { B, T } = plan;
  const perTrajectory = new Float64Array(B);
  const perStep = new Float64Array(end.steps);
  let k = 0;
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < batch.length[i]!; t++) {
      const moved = delta[(s * B + i) * T + t]!;
      perTrajectory[i]! += moved;
      perStep[k++] = moved;
    }
  }
  put('ess', essFromLogWeights(perTrajectory));
  put('essStep', essFromLogWeights(perStep));
  put('approxKL', end.approxKL / end.units);
  put('ratioMax', end.ratioMax);
  put('clipFraction', end.clipped / end.units);
  put('gradNorm', gradNorm);
  put('policyLoss', learned.policyLoss / optimizerSteps);
  put('valueLoss', learned.valueLoss / optimizerSteps);
  put('klRef', end.klRef / end.steps);
}
