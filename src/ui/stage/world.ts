import type { Config } from '../../config/slots.ts';
import type { AnyValues } from '../../core/settings.ts';
import { plainView } from '../../envs/facts.ts';
import { environments } from '../../envs/registry.ts';
import type { Environment } from '../../envs/types.ts';
import { wrappedBy, wrappersOf } from '../../slots/wrapper/registry.ts';

/** What a level is made from: enough to make it again elsewhere. */
export type LevelSource = {
  readonly id: string;
  readonly settings: AnyValues;
  readonly rewards: AnyValues;
  readonly levelSeed: number;
  /** the settings of the task, which say what stands before the world */
  readonly task: Readonly<Record<string, unknown>>;
};

/** The environment of a level, behind its wrappers. */
export function envOf({ id, rewards, task }: LevelSource): Environment | undefined {
  const env = environments.find((e) => e.id === id);
  return env && wrappedBy(wrappersOf(task), env, rewards);
}

/** The same, once its rules and levels are there: for workers of their own, which nobody prepares. */
export async function loadedEnv(source: LevelSource): Promise<Environment | undefined> {
  await envOf(source)?.prepare?.(source.settings);
  return envOf(source);
}

/** An environment with one of its levels: what the stage needs to draw and to play. */
export type World = { readonly env: Environment; readonly level: unknown; readonly source: LevelSource };

/** Worlds of a config that were drawn lately; more levels than this are made again. */
const KEPT = 64;
const worlds = new WeakMap<Config, Map<number, World>>();

/** The level of a config with the view replaced by one that needs no table of states: people see everything. */
export function sourceOf(config: Config, levelSeed: number): LevelSource {
  const id = config.task.method;
  const settings = (config.task[id] ?? {}) as AnyValues;
  const env = environments.find((e) => e.id === id);
  return {
    id,
    settings: env ? { ...settings, view: plainView(env) } : settings,
    rewards: (config.reward[id] ?? {}) as AnyValues,
    levelSeed,
    task: config.task,
  };
}

/** World of a config and level seed; null if the level does not parse, or not yet: then it is asked for again. */
export function worldOf(config: Config, levelSeed: number): World | null {
  let known = worlds.get(config);
  if (!known) worlds.set(config, (known = new Map()));
  const found = known.get(levelSeed);
  if (found) return found;
  const source = sourceOf(config, levelSeed);
  const env = envOf(source);
  const level = env?.level(source.settings, source.rewards, levelSeed);
  if (!env || !level?.ok) return null;
  const world = { env, level: level.value, source };
  if (known.size >= KEPT) known.clear();
  known.set(levelSeed, world);
  return world;
}

export function firstState({ env, level }: World): Uint32Array {
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  return state;
}

/** The level as text, as it begins. */
export const firstText = (world: World): string => world.env.text(world.level, firstState(world), 0);

/** Seed of the next level that looks different; null where every seed gives the same map. */
export function nextLevelSeed(config: Config, world: World): number | null {
  const text = firstText(world);
  for (let seed = world.source.levelSeed + 1; seed <= world.source.levelSeed + 3; seed++) {
    const other = worldOf(config, seed);
    if (other && firstText(other) !== text) return seed;
  }
  return null;
}

const places = new WeakMap<World, Map<number, number>>();

/** Cell of the drawing in which the agent of a state stands; worked out once for each of the environment's own cells. */
export function placeOf(world: World, states: Uint32Array, at: number): number {
  let known = places.get(world);
  if (!known) places.set(world, (known = new Map()));
  const own = world.env.cell(states, at);
  let place = known.get(own);
  if (place === undefined) known.set(own, (place = world.env.scene(world.level, states, at).agent.cell));
  return place;
}
