import type { Config } from '../../config/slots.ts';
import type { AnyValues } from '../../core/settings.ts';
import { environments } from '../../envs/registry.ts';
import type { Environment, Scene } from '../../envs/types.ts';

/** An environment with one of its levels: what the stage needs to draw and to play. */
export type World = { readonly env: Environment; readonly level: unknown };

let lastKey: readonly [Config, number] | null = null;
let lastWorld: World | null = null;

/** World of a config and level seed; null if the level does not parse. The last one is kept. */
export function worldOf(config: Config, levelSeed: number): World | null {
  if (lastKey && lastKey[0] === config && lastKey[1] === levelSeed) return lastWorld;
  const env = environments.find((e) => e.id === config.task.method);
  const settings = env ? { ...(config.task[env.id] as AnyValues), view: 'planes' } : {};
  const level = env?.level(settings, config.reward[env.id] as AnyValues, levelSeed);
  lastKey = [config, levelSeed];
  lastWorld = env && level?.ok ? { env, level: level.value } : null;
  return lastWorld;
}

export function firstState({ env, level }: World): Uint32Array {
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  return state;
}

/** What lies where, in one sentence. */
export function describe(scene: Scene, text: string): string {
  const { agent, width, holding } = scene;
  const where = `The agent is in column ${(agent.cell % width) + 1}, row ${Math.floor(agent.cell / width) + 1}`;
  return `${where}, holding ${holding.length > 0 ? holding.join(' and ') : 'nothing'}. Map: ${text.replaceAll('\n', ' / ')}`;
}
