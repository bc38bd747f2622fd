import type { MetricId } from '../slots/metrics/metrics.ts';
import type { Plan } from './plan.ts';

/** What the simulated clock of replica s says about an update. */
export function recordQueue(
  { behavior, seeds, B }: Plan,
  update: number,
  s: number,
  put: (s: number, id: MetricId, value: number) => void,
): void {
  const seed = seeds[s]!;
  const { end, trainerIdle, generatorIdle, waiting, held } = behavior.queues.of(seed).at(update);
  put(s, 'simTime', end);
  put(s, 'throughput', ((update + 1) * B) / end);
  put(s, 'speedUp', behavior.queues.synchronous(seed).at(update).end / end);
  put(s, 'trainerIdle', trainerIdle);
  put(s, 'generatorIdle', generatorIdle);
  put(s, 'queueLength', waiting);
  put(s, 'queueHeld', held);
}
