import type { Chosen } from '../contract/module.ts';
import type { AnyValues } from '../core/settings.ts';
import { rollouts } from '../slots/registry.ts';
import type { Rollout } from '../slots/rollout/types.ts';
import type { Plan } from './plan.ts';

/** The rollout of a plan with its settings. */
export function rolloutOf({ config: { rollout } }: Pick<Plan, 'config'>): Chosen<Rollout> {
  const module = rollouts.find(({ id }) => id === rollout.method)!;
  return { module, params: rollout[module.id] as AnyValues };
}
