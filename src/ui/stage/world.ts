import type { Config } from '../../config/slots.ts';
import type { AnyValues } from '../../core/settings.ts';
import { environments } from '../../envs/registry.ts';
import type { Environment } from '../../envs/types.ts';

/** An environment with one of its levels: what the stage needs to draw and to play. */
export type World = { readonly env: Environment; readonly level: unknown };

/** Worlds of a config that were drawn lately; more levels than this are made again. */
const KEPT = 64;
const worlds = new WeakMap<Config, Map<number, World | null>>();

/** World of a config and level seed; null if the level does not parse. */
export function worldOf(config: Config, levelSeed: number): World | null {
  let known = worlds.get(config);
  if (!known) worlds.set(config, (known = new Map()));
  const found = known.get(levelSeed);
  if (found !== undefined) return found;
  const env = environments.find((e) => e.id === config.task.method);
  // the view shapes what the policy sees, not what people see; this one needs no table of states
  const settings = env ? { ...(config.task[env.id] as AnyValues), view: 'planes' } : {};
  const level = env?.level(settings, config.reward[env.id] as AnyValues, levelSeed);
  const world = env && level?.ok ? { env, level: level.value } : null;
  if (known.size >= KEPT) known.clear();
  known.set(levelSeed, world);
  return world;
}

export function firstState({ env, level }: World): Uint32Array {
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  return state;
}
