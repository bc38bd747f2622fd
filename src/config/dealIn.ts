import type { AnyValues } from '../core/settings.ts';
import { panelLevel, wholeContext } from '../contract/taskContext.ts';
import { growthOf } from '../envs/facts.ts';
import { dealOf, type Dealing, type SameLevels } from '../envs/levelDeal.ts';
import { environments } from '../envs/registry.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { comparesLevels } from './comparesLevels.ts';
import { seenView } from './level.ts';
import type { Config } from './slots.ts';

/** How the levels of an experiment are dealt; undefined where seeds alone say which ones are the same. */
export function dealIn(config: Config): Dealing | undefined {
  const world = environments.find(({ id }) => id === config.task.method);
  if (!world || !comparesLevels(config)) return undefined;
  const acting = wrappersOf(config.task);
  const rewards = (config.reward[world.id] ?? {}) as AnyValues;
  const task = (config.task[world.id] ?? {}) as AnyValues;
  // levels in a row are made of several ones of the world
  const isRow = acting.some(({ module }) => module.loses === 'goals');
  const env = isRow ? wrappedBy(acting, world, rewards) : world;
  const P = Number(config.rollout['tasksPerBatch']);
  const sizes = { P, G: 1, levels: Number(config.task['levels']), ...growthOf(env, task) };
  return dealOf({
    ...{ env, rewards, sizes, settings: { ...task, view: seenView(config) } },
    same: config.task['sameLevels'] as SameLevels,
    heldOut: config.analysis['heldOut'] === true,
    panel: (seed) =>
      Array.from({ length: P }, (_, k) => wholeContext(sizes, seed, 0, false).grown(panelLevel(seed, k))),
  });
}
