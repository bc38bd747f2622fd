import type { AnyValues } from '../core/settings.ts';
import { panelLevel, wholeContext } from '../contract/taskContext.ts';
import { growthOf } from '../envs/facts.ts';
import { dealOf, namesOf, type Dealing, type SameLevels } from '../envs/levelDeal.ts';
import { environments } from '../envs/registry.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { comparesLevels } from './comparesLevels.ts';
import type { Config } from './slots.ts';

/** What levels of an experiment are made from, where they are compared; null where its world is not known. */
function sourceIn(config: Config) {
  const world = environments.find(({ id }) => id === config.task.method);
  if (!world) return null;
  const acting = wrappersOf(config.task);
  const rewards = (config.reward[world.id] ?? {}) as AnyValues;
  // levels in a row are made of several ones of the world
  const isRow = acting.some(({ module }) => module.loses === 'goals');
  const settings = (config.task[world.id] ?? {}) as AnyValues;
  return { world, env: isRow ? wrappedBy(acting, world, rewards) : world, rewards, settings };
}

/** How the levels of an experiment are dealt; undefined where seeds alone say which ones are the same. */
export function dealIn(config: Config): Dealing | undefined {
  const source = comparesLevels(config) ? sourceIn(config) : null;
  if (!source) return undefined;
  const P = Number(config.rollout['tasksPerBatch']);
  const levels = Number(config.task['levels']);
  const sizes = { P, G: 1, levels, ...growthOf(source.world, source.settings) };
  return dealOf({
    ...{ ...source, sizes, same: config.task['sameLevels'] as SameLevels },
    heldOut: config.analysis['heldOut'] === true,
    panel: (seed) =>
      Array.from({ length: P }, (_, k) => wholeContext(sizes, seed, 0, false).grown(panelLevel(seed, k))),
  });
}

/**
 * Names of levels that are the same to the keys of states, where anchor groups span tasks: symmetric keys say what map they are of,
 * and are equal on images of each other; any other keys only mean something on equal levels.
 */
export function poolIn(config: Config): ((levelSeed: number) => string) | undefined {
  const source = config.task['poolLevels'] === true ? sourceIn(config) : null;
  return source ? namesOf(source, config.task['stateKeys'] === 'symmetric') : undefined;
}
