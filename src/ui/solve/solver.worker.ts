import type { Environment } from '../../envs/types.ts';
import { loadedEnv, type LevelSource } from '../stage/world.ts';
import type { Solution } from './solve.ts';

function solutionOf(env: Environment, level: unknown): Solution {
  const found = env.solve?.(level);
  const actions = found ? found.path : env.shortestPath(level);
  if (actions) return { kind: 'path', actions, pushes: found?.pushes ?? null };
  return { kind: found?.status === 'notSolvedHere' ? 'late' : 'none' };
}

/** Finds a shortest path away from the page's own thread: one level per worker, one answer. */
onmessage = async ({ data }: MessageEvent<LevelSource>): Promise<void> => {
  const env = await loadedEnv(data);
  const level = env?.level(data.settings, data.rewards, data.levelSeed);
  postMessage(env && level?.ok ? solutionOf(env, level.value) : { kind: 'none' });
};
