import { environments } from '../../envs/registry.ts';
import type { LevelSource } from '../stage/world.ts';

/** Finds a shortest path away from the page's own thread: one level per worker, one answer. */
onmessage = async ({ data }: MessageEvent<LevelSource>): Promise<void> => {
  const env = environments.find((e) => e.id === data.id);
  await env?.prepare?.(data.settings);
  const level = env?.level(data.settings, data.rewards, data.levelSeed);
  postMessage(env && level?.ok ? env.shortestPath(level.value) : null);
};
