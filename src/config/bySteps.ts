import { environments } from '../envs/registry.ts';
import { rollouts, sources, versionRules } from '../slots/registry.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Config } from './slots.ts';

type Spending = Pick<Config, 'task' | 'rollout' | 'source'>;

/**
 * True for an experiment whose updates take different numbers of environment steps by design: episodes are dropped, forked,
 * repeated, given out unevenly, or begin near the goal. Its curves stand against the steps that were taken, all of which are
 * charged.
 */
export const bySteps = ({ task, rollout, source }: Spending): boolean =>
  rollout.method !== rollouts[0]!.id || source.method !== sources[0]!.id || grows(task);

/** True for a task that grows while it is trained: its first stages are short. */
function grows(task: Spending['task']): boolean {
  const world = environments.find(({ id }) => id === task.method);
  if ((world?.stages?.(task[task.method] as AnyValues) ?? 1) > 1) return true;
  return Object.values(task).some((one) => {
    const { on, growEvery } = Object(one) as AnyValues;
    return on === true && Number(growEvery) > 0;
  });
}

/** Episodes that an update plays if nothing else is decided while it plays. */
const episodesOf = ({ rollout }: Spending): number => Number(rollout['tasksPerBatch']) * Number(rollout['groupSize']);

/**
 * True for experiments that are compared over environment steps, not updates: an update of one of them takes another number
 * of steps by design, or has another number of episodes.
 */
export const differInCost = (all: readonly Spending[]): boolean =>
  all.some(bySteps) || new Set(all.map(episodesOf)).size > 1;

/**
 * True where a simulated clock goes by the lengths of episodes, or weights are published seldom: what a long episode costs
 * and what asynchrony gains is seen in time alone.
 */
export const byTime = ({ rollout }: Pick<Config, 'rollout'>): boolean =>
  versionRules.find(({ id }) => id === rollout['ages'])?.metrics?.includes('simTime') === true &&
  (rollout['timeBy'] === 'lengths' || Number(rollout['publishEvery']) > 1);
