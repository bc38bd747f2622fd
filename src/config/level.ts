import { fail, ok, type Result } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import type { Config } from './slots.ts';

/** Sizes of the level a config asks for, with the first level seed. */
export type LevelFacts = {
  readonly maxSteps: number;
  readonly features: number;
  readonly actions: number;
  /** true if every level seed gives the same map */
  readonly isFixed: boolean;
};

/** Parses or draws the level of a config; what is wrong with it comes back as a Problem. */
export function makeLevelOf(config: Config): Result<LevelFacts> {
  const env = environments.find((e) => e.id === config.task.method);
  if (!env) return fail({ kind: 'configRejected', issues: [{ path: 'task.method', message: 'is not known here' }] });
  const settings = (config.task[env.id] ?? {}) as AnyValues;
  const rewards = (config.reward[env.id] ?? {}) as AnyValues;
  // the index view is chosen by the table policy; here only the map matters
  const level = env.level(
    { ...settings, view: settings['view'] === 'index' ? 'planes' : settings['view']! },
    rewards,
    1,
  );
  if (!level.ok) return level;
  const state = new Uint32Array(env.words);
  env.reset(level.value, state, 0);
  const first = env.text(level.value, state, 0);
  const isFixed = [2, 3, 4].every((seed) => {
    const other = env.level(settings, rewards, seed);
    if (!other.ok) return false;
    env.reset(other.value, state, 0);
    return env.text(other.value, state, 0) === first;
  });
  return ok({
    maxSteps: env.maxSteps(level.value),
    features: env.features(level.value),
    actions: env.actions(level.value).length,
    isFixed,
  });
}
