import { objectives } from '../slots/methods.ts';
import type { Objective } from '../slots/types.ts';
import type { Config } from './slots.ts';

/** True if every batch is played by the very policy that learns from it: no old or rounded weights, no mask of its own. */
export function isFresh({ rollout, objective }: Config): boolean {
  const chosen = (objectives as readonly Objective[]).find((o) => o.id === objective.method);
  const isExact = rollout['rolloutPrecision'] === 'f32' || rollout['unifiedPrecision'] === true;
  const restriction = chosen?.restricts?.(objective[chosen.id] as never);
  return rollout['staleness'] === 0 && isExact && restriction?.inTraining !== false;
}
