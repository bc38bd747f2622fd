import type { AnyValues } from '../core/settings.ts';
import { objectives } from '../slots/methods.ts';
import type { Objective } from '../slots/types.ts';
import type { Config } from './slots.ts';

/** True if every batch is played by the very policy that learns from it: no old or rounded weights, nothing of its own to restrict it. */
export function isFresh({ rollout, objective }: Config): boolean {
  const chosen = (objectives as readonly Objective[]).find((o) => o.id === objective.method);
  const isExact = rollout['rolloutPrecision'] === 'f32' || rollout['unifiedPrecision'] === true;
  const isSeen = chosen?.restricts?.inTraining(objective[chosen.id] as AnyValues) ?? true;
  return rollout['staleness'] === 0 && isExact && isSeen;
}
