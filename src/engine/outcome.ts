import { updateNumber } from '../core/counting.ts';
import { digits } from '../core/digits.ts';
import { iqm, mean } from '../core/stats.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import type { Series } from './series.ts';

/** A success over the seeds, and the update it belongs to: of its batch, or after it where a policy was evaluated. */
export type SuccessAt = { readonly update: number; readonly iqm: number };

/** How well a run did, told apart: on the batches it learns from, and on episodes that never train. */
export type Outcome = {
  /** of the last update */
  readonly training: SuccessAt | null;
  /** newest and best evaluation; null where nothing was evaluated */
  readonly evaluation: SuccessAt | null;
  readonly best: SuccessAt | null;
  /** [S] mean of the last tenth of the evaluations, the score of a seed in tables; null where nothing was evaluated */
  readonly scores: readonly number[] | null;
};

/** Interquartile mean over the seeds, as the curves show it; null where one was not measured. */
const over = (values: readonly number[]): number | null => (values.some(Number.isNaN) ? null : iqm(values));

/** As much of a history as an outcome reads. */
export type Evaluated = Pick<Series, 'S' | 'length' | 'at' | 'evaluations'>;

/**
 * @param seeds places of the seeds that count; all where it is left out
 * @param updates the first ones that count
 */
export function outcomeOf(
  series: Evaluated,
  seeds: readonly number[] = Array.from({ length: series.S }, (_, s) => s),
  updates = series.length,
): Outcome {
  const last = updates - 1;
  const training = last < 0 ? null : over(seeds.map((s) => series.at(last, s, metricIndex.success)));
  const evaluations: SuccessAt[] = [];
  const evaluated: Float32Array[] = [];
  for (const { update, success } of series.evaluations()) {
    if (update > last) break;
    const found = over(seeds.map((s) => success[s]!));
    if (found === null) continue;
    // made before update u + 1, on the policy after u updates
    evaluations.push({ update, iqm: found });
    evaluated.push(success);
  }
  const tenth = evaluated.slice(-Math.max(1, Math.floor(evaluated.length / 10)));
  return {
    training: training === null ? null : { update: updateNumber(last), iqm: training },
    evaluation: evaluations.at(-1) ?? null,
    // the first of equals, as on the timeline
    best: evaluations.reduce<SuccessAt | null>((best, e) => (best && best.iqm >= e.iqm ? best : e), null),
    scores: evaluated.length === 0 ? null : seeds.map((s) => mean(tenth.map((success) => success[s]!))),
  };
}

/** The same in words, with the digits that the page shows. */
export function outcomeWords({ training, evaluation, best }: Outcome, seeds: number): string {
  const told = [
    ...(training ? [`training success ${digits(training.iqm)} in update ${training.update}`] : []),
    ...(evaluation ? [`evaluation success ${digits(evaluation.iqm)} after update ${evaluation.update}`] : []),
    ...(best ? [`best evaluation ${digits(best.iqm)} after update ${best.update}`] : []),
  ];
  return `${told.join(', ')}${seeds > 1 ? ` (interquartile means of ${seeds} seeds)` : ''}`;
}
