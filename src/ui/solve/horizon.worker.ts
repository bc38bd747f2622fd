import { horizonOfLevel, type Horizon } from '../../lab/analysis/horizon.ts';
import { optionSignsOf, type OptionSigns } from '../../lab/analysis/optionSigns.ts';
import { keyCounts, type KeyCounts } from '../../lab/analysis/keyCounts.ts';
import type { Environment } from '../../envs/types.ts';
import { environments } from '../../envs/registry.ts';
import { wrappersOf } from '../../slots/wrapper/registry.ts';
import { loadedEnv, type LevelSource } from '../stage/world.ts';

/**
 * A level’s horizon; null: nothing that is done there matters; or why there is none, after “because”. And its states
 * by key, and how far the sign of an advantage reaches, or why that is not known.
 */
export type HorizonAnswer = {
  readonly horizon: Horizon | null | string;
  readonly keys: KeyCounts | null;
  readonly signs: OptionSigns | string;
};

async function signsOf(source: LevelSource): Promise<OptionSigns | string> {
  const env = await loadedEnv(source);
  const level = env?.level(source.settings, source.rewards, source.levelSeed);
  return env && level?.ok ? optionSignsOf(env, level.value) : 'its settings have a mistake';
}

async function horizonOf(source: LevelSource): Promise<HorizonAnswer['horizon']> {
  if (source.rewards['timed'] === true)
    return 'the reward depends on the clock, which the list of states does not hold';
  const wrong = wrappersOf(source.task).some(({ module, params }) => module.inexact?.(params));
  if (wrong) return 'a wrapper makes rewards depend on more than the state';
  const env = await loadedEnv(source);
  const level = env?.level(source.settings, source.rewards, source.levelSeed);
  return env && level?.ok ? horizonOfLevel(env, level.value) : 'its settings have a mistake';
}

/** Of the world alone: wrappers before it tell more apart. */
async function keysOf({ id, settings, rewards, levelSeed }: LevelSource): Promise<KeyCounts | null> {
  const bare = environments.find((e) => e.id === id);
  await bare?.prepare?.(settings);
  const env = environments.find((e) => e.id === id);
  if (!env) return null;
  const make = (world: Environment): unknown => {
    const level = world.level(settings, rewards, levelSeed);
    return level.ok ? level.value : null;
  };
  return make(env) === null ? null : keyCounts(env, make);
}

/** Works out one level away from the page’s own thread. */
onmessage = async ({ data }: MessageEvent<LevelSource>): Promise<void> => {
  const answer: HorizonAnswer = {
    horizon: await horizonOf(data),
    keys: await keysOf(data),
    signs: await signsOf(data),
  };
  postMessage(answer);
};
