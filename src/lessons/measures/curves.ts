import { updateNumber } from '../../core/counting.ts';
import { mean } from '../../core/stats.ts';
import { metricIndex, type MetricId } from '../../slots/metrics/metrics.ts';
import type { TrainedArm } from '../trainedArm.ts';
import { measure } from './types.ts';

/** Numbers from the curves of an arm, one per seed. An update without a measured value is left out. */

const measured = (arm: TrainedArm, metric: MetricId, seed: number): number[] =>
  arm.curve(metric, seed).filter((x) => !Number.isNaN(x));

export const last = measure({
  id: 'last',
  doc: 'last(arm, metric): the last measured value of a metric, per seed.',
  takes: ['arm', 'metric'],
  of: (arm, metric) => arm.perSeed((seed) => arm.run.series.last(seed, metricIndex[metric])),
});

export const first = measure({
  id: 'first',
  doc: 'first(arm, metric): the first measured value of a metric, per seed.',
  takes: ['arm', 'metric'],
  of: (arm, metric) => arm.perSeed((seed) => measured(arm, metric, seed)[0] ?? NaN),
});

export const at = measure({
  id: 'at',
  doc: 'at(arm, metric, n): a metric in update n, where update 1 is the first, per seed.',
  takes: ['arm', 'metric', 'number'],
  of: (arm, metric, n) => {
    if (!Number.isInteger(n) || n < 1 || n > arm.updates)
      throw new Error(`at asks for update ${n}, and ${arm.id} has trained ${arm.updates}.`);
    return arm.perSeed((seed) => arm.run.series.at(n - 1, seed, metricIndex[metric]));
  },
});

export const over = measure({
  id: 'over',
  doc: 'over(arm, metric, n): mean of a metric over the last n updates, or over all without n, per seed.',
  takes: ['arm', 'metric', 'number?'],
  of: (arm, metric, n = Infinity) =>
    arm.perSeed((seed) =>
      mean(
        arm
          .curve(metric, seed)
          .slice(-n)
          .filter((x) => !Number.isNaN(x)),
      ),
    ),
});

export const highest = measure({
  id: 'highest',
  doc: 'highest(arm, metric): the largest value of a metric over all updates, per seed.',
  takes: ['arm', 'metric'],
  of: (arm, metric) => arm.perSeed((seed) => Math.max(...measured(arm, metric, seed))),
});

export const lowest = measure({
  id: 'lowest',
  doc: 'lowest(arm, metric): the smallest value of a metric over all updates, per seed.',
  takes: ['arm', 'metric'],
  of: (arm, metric) => arm.perSeed((seed) => Math.min(...measured(arm, metric, seed))),
});

/** Number of the first update at which the mean of the last `window` measured values is at least the level; ∞: never. */
function reached(values: readonly number[], level: number, window: number): number {
  let [sum, count] = [0, 0];
  const recent: number[] = [];
  for (const [u, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    recent.push(value);
    sum += value;
    if (++count > window) sum -= recent.shift()!;
    if (recent.length === window && sum / window >= level) return updateNumber(u);
  }
  return Infinity;
}

export const updatesTo = measure({
  id: 'updatesTo',
  doc: 'updatesTo(arm, metric, level, window): number of the first update at which the mean of the last window values (1 without it) is at least the level, per seed; ∞ where it never is.',
  takes: ['arm', 'metric', 'number', 'number?'],
  of: (arm, metric, level, window = 1) => {
    if (!Number.isInteger(window) || window < 1)
      throw new Error('The window of updatesTo is a whole number from 1 on.');
    return arm.perSeed((seed) => reached(arm.curve(metric, seed), level, window));
  },
});

export const updates = measure({
  id: 'updates',
  doc: 'updates(arm): how many updates an arm has trained; fewer than it asks for where stopAt ended it.',
  takes: ['arm'],
  of: (arm) => arm.updates,
});

export const stepsTaken = measure({
  id: 'stepsTaken',
  doc: 'stepsTaken(arm, n): steps of the world, in thousands, that a seed had taken after update n, or in all without n; a mean over the seeds, and everything that was played counts.',
  takes: ['arm', 'number?'],
  of: (arm, n = arm.updates) => {
    if (!Number.isInteger(n) || n < 1 || n > arm.updates)
      throw new Error(`stepsTaken asks for update ${n}, and ${arm.id} has trained ${arm.updates}.`);
    return arm.run.series.envSteps(n - 1) / 1000;
  },
});
