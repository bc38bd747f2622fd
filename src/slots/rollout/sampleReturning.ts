import { metricIndex, METRICS, type MetricId } from '../metrics/metrics.ts';

/** For tests of episodes that come back: a small world in which successes are rare at first. */
export const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.updates': 12, 'run.seeds': 2, 'policy.method': 'tabular' },
  ...{ 'task.grid.level': 'fourRooms', 'task.levels': 3, 'task.grid.maxSteps': 30 },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'advantage.method': 'grpo' },
};
export const SPEAR = { ...SMALL, 'rollout.method': 'spear', 'rollout.spear.rise': 4, 'rollout.spear.rows': 6 };

/** A metric of seed s in what an update recorded. */
export const metricOf = (record: { readonly metrics: Float64Array }, id: MetricId, s = 0): number =>
  record.metrics[s * METRICS + metricIndex[id]]!;
