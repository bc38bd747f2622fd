import { capIssues } from '../../config/caps.ts';
import { checkRules } from '../../config/rules.ts';
import { fieldAt, getValue, setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { networkOf } from '../../networks/policy.ts';
import { worldOf } from '../stage/world.ts';
import { many } from '../format.ts';

/** One change that makes an experiment fail, and what to watch while it does. */
export type Break = { readonly path: string; readonly value: number; readonly watch: string };

/** Steps to the goal that chance hardly ever walks. */
const FAR = 40;
const FASTER = 100;

/** A corridor whose goal nobody finds: sure of one direction it is learned at any rate. */
function farGoal(config: Config): Break | null {
  const isCorridor = config.task.method === 'grid' && getValue(config, 'task.grid.level') === 'corridor';
  if (!isCorridor || (getValue(config, 'task.grid.n') as number) >= FAR) return null;
  const watch = `The goal is ${FAR} steps away now. Watch the credit: every episode fails alike, so nothing tells a good step from a bad one.`;
  return { path: 'task.grid.n', value: FAR, watch };
}

/** Fewer steps than the way to the goal has: a table is never sure too early, however long its steps are. */
function shortEpisodes(config: Config): Break | null {
  if (!networkOf(config.policy.method).isTable) return null;
  const world = worldOf(config, 1);
  const steps = world?.env.shortestPath(world.level)?.length ?? 0;
  if (steps < 2) return null;
  const value = steps >> 1;
  const watch = `An episode now ends after ${many(value, 'step')}, and the shortest path has ${steps}. Watch success: it stays 0, every group agrees, and nothing is learned.`;
  return { path: `task.${config.task.method}.maxSteps`, value, watch };
}

/** Steps so long that the policy is certain before it knows anything. */
function longSteps(config: Config): Break | null {
  const path = 'optimizer.learningRate';
  const now = getValue(config, path) as number;
  const { setting } = fieldAt(path)!;
  const most = setting?.kind === 'number' ? setting.max : now;
  const value = Number(Math.min(most, FASTER * now).toPrecision(3));
  if (value < 2 * now) return null;
  const times = Math.round(value / now);
  const watch = `The learning rate is ${times} times higher. Watch entropy: the policy is certain after a few updates, before it knows the way, and success stays low.`;
  return { path, value, watch };
}

/** How much the rules find wrong: some published experiments are too large for a page to begin with. */
const faults = (config: Config): number =>
  checkRules(config).filter(({ severity }) => severity === 'error').length + capIssues(config).length;

/** The change that breaks an experiment; null where there is none that its rules allow. */
export function breakOf(config: Config): Break | null {
  for (const found of [farGoal(config), shortEpisodes(config), longSteps(config)]) {
    if (!found) continue;
    const broken = setValue(config, found.path, found.value);
    if (faults(broken) <= faults(config)) return found;
  }
  return null;
}
