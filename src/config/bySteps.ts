import { rollouts, sources, versionRules } from '../slots/registry.ts';
import type { Config } from './slots.ts';

/**
 * True for an experiment whose updates take different numbers of environment steps by design: episodes are dropped, forked,
 * repeated or given out unevenly. Its curves stand against the steps that were taken, all of which are charged.
 */
export const bySteps = ({ rollout, source }: Pick<Config, 'rollout' | 'source'>): boolean =>
  rollout.method !== rollouts[0]!.id || source.method !== sources[0]!.id;

/**
 * True where a simulated clock goes by the lengths of episodes, or weights are published seldom: what a long episode costs
 * and what asynchrony gains is seen in time alone.
 */
export const byTime = ({ rollout }: Pick<Config, 'rollout'>): boolean =>
  versionRules.find(({ id }) => id === rollout['ages'])?.metrics?.includes('simTime') === true &&
  (rollout['timeBy'] === 'lengths' || Number(rollout['publishEvery']) > 1);

/** True for a setting that changes what an update costs: methods compared by it are given equal steps. */
export const changesSteps = (path: string): boolean =>
  path.startsWith('source.') ||
  path === 'rollout.method' ||
  rollouts.some(({ id }) => path.startsWith(`rollout.${id}.`));
