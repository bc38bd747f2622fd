import { horizonOfLevel, type Horizon } from '../../lab/analysis/horizon.ts';
import { wrappersOf } from '../../slots/wrapper/registry.ts';
import { loadedEnv, type LevelSource } from '../stage/world.ts';

/** A level’s horizon; null: nothing that is done there matters; or why there is none, after “because”. */
export type HorizonAnswer = Horizon | null | string;

async function answerOf(source: LevelSource): Promise<HorizonAnswer> {
  if (source.rewards['timed'] === true)
    return 'the reward depends on the clock, which the list of states does not hold';
  const wrong = wrappersOf(source.task).some(({ module, params }) => module.inexact?.(params));
  if (wrong) return 'a wrapper makes rewards depend on more than the state';
  const env = await loadedEnv(source);
  const level = env?.level(source.settings, source.rewards, source.levelSeed);
  return env && level?.ok ? horizonOfLevel(env, level.value) : 'its settings have a mistake';
}

/** Works out one level away from the page’s own thread. */
onmessage = async ({ data }: MessageEvent<LevelSource>): Promise<void> => postMessage(await answerOf(data));
