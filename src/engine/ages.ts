import type { Batch } from '../contract/columns.ts';
import { stalenessStats } from '../core/math/staleness.ts';
import { versionOf } from './behavior.ts';
import type { MetricId } from '../slots/metrics/metrics.ts';
import type { Plan } from './plan.ts';
import type { PlayedSteps } from './playedSteps.ts';

/** What tells who played a unit. */
export type Rows = Pick<Batch, 'length' | 'taskIndex'>;

/** The version that sampled each unit of the batch of replica s; `unitsAt`: units of the step at i·T + t. */
export function unitVersions(
  plan: Plan,
  { length, taskIndex }: Rows,
  update: number,
  s: number,
  unitsAt: (step: number) => number,
): number[] {
  const versions: number[] = [];
  for (const [i, n] of length.entries()) {
    for (let t = 0; t < n; t++) {
      const version = versionOf(plan, plan.seeds[s]!, update, taskIndex[i]!, t);
      for (let k = unitsAt(i * plan.T + t); k > 0; k--) versions.push(version);
    }
  }
  return versions;
}

/** True if records tell how old their data are. */
export const measuresAges = ({ behavior }: Plan): boolean =>
  behavior.lag > 0 || behavior.versions.measure !== undefined;

/** An update of replica s, and the environment steps that have been taken until each update. */
export type AgedAt = { readonly update: number; readonly s: number; readonly steps: PlayedSteps };

/**
 * Updates between the weights that played a unit and those that learn from it: mean, largest, and share above k. And the
 * mean of the environment steps that were taken meanwhile, and what only the rule that chose the versions knows.
 * `versions` of the units of the replica, in any order.
 */
export function recordAges(
  plan: Plan,
  versions: readonly number[],
  { update, s, steps }: AgedAt,
  put: (s: number, id: MetricId, value: number) => void,
): void {
  const { lag, versions: rule } = plan.behavior;
  const { histogram, mean, max } = stalenessStats(update, versions, lag + 2);
  put(s, 'staleness', mean);
  put(s, 'stalenessMax', max);
  put(s, 'staleOver', histogram.at(-1)! / versions.length);
  put(s, 'ageSteps', versions.reduce((sum, v) => sum + steps.age(s, update, v), 0) / versions.length);
  const own = rule.measure?.({ seed: plan.seeds[s]!, update, B: plan.B }) ?? {};
  for (const [id, value] of Object.entries(own)) put(s, id as MetricId, value);
}
