import { chosenOf, type ModuleForm } from '../contract/module.ts';
import type { Potential } from '../contract/signals.ts';
import type { AnyValues } from '../core/settings.ts';
import { plainView } from '../envs/facts.ts';
import { environments } from '../envs/registry.ts';
import { estimators } from '../slots/methods.ts';
import { rewards } from '../slots/registry.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import type { Config, SlotConfig } from './slots.ts';

type Table = { readonly reward: SlotConfig; readonly potential: string; readonly exists: boolean };
const known = new WeakMap<SlotConfig, Table>();

/** True if the signals of the level of seed 1 can be made; looked up once for a task. */
function hasTable(config: Config, potential: Potential): boolean {
  const name = `${potential.of} ${potential.of === 'value' ? potential.gamma : ''}`;
  const before = known.get(config.task);
  if (before?.reward === config.reward && before.potential === name) return before.exists;
  const env = environments.find((e) => e.id === config.task.method)!;
  const settings = { ...(config.task[env.id] as AnyValues), view: plainView(env) };
  const level = env.level(settings, (config.reward[env.id] ?? {}) as AnyValues, 1);
  const exists = !level.ok || (env.signals?.fits(level.value, potential) ?? false);
  known.set(config.task, { reward: config.reward, potential: name, exists });
  return exists;
}

/** What is wrong with reward modules together: levels that are too large, its own discount, rewards that can be farmed. */
export function rewardIssues(config: Config): Issue[] {
  const found: Issue[] = [];
  const level = makeLevelOf(config);
  for (const { module, params } of chosenOf(rewards, config.reward)) {
    const at = (name: string): string => `reward.${module.id}.${name}`;
    const potential = module.potential?.(params as never);
    const needs: readonly string[] = (module as ModuleForm).needs ?? [];
    const tells = needs.some((name) => ['phi', 'progress', 'completion', 'outcomeScore'].includes(name));
    if (level.ok && tells && !hasTable(config, potential ?? { of: 'distance', gamma: 1 })) {
      const message = 'needs a level whose states can all be listed, and this one has more than 20,000';
      const off = { label: `switch ${module.title} off`, set: [{ path: at('on'), value: false }] };
      found.push({ severity: 'error', path: at('on'), message, repair: off });
    }
    if (potential) found.push(...discountHint(config, at('gamma'), potential.gamma));
    const most = (module.mostPerStep?.(params as never) ?? 0) * (level.ok ? level.value.maxSteps : 0);
    const goal = ((config.reward[config.task.method] as AnyValues)['goal'] as number | undefined) ?? 0;
    if (most > goal / 1000 && goal > 0)
      found.push({
        ...{ severity: 'hint', path: at('on') },
        message: `pays up to ${Number(most.toFixed(2))} in a whole episode and the goal ${goal / 1000}: the agent may farm it`,
      });
  }
  return found;
}

/** Only with the discount of the credit does shaping leave the best policy alone; outcomes are summed without one. */
function discountHint(config: Config, path: string, gamma: number): Issue[] {
  const estimator = estimators.find((e) => e.id === config.advantage.method)!;
  const own = (config.advantage[estimator.id] as AnyValues)['gamma'];
  const used = typeof own === 'number' ? own : 1;
  if (used === gamma) return [];
  const message = `is not the ${used} with which ${estimator.title} adds up rewards, so the shaping becomes an extra reward`;
  return [{ severity: 'hint', path, message, repair: { label: `set ${used}`, set: [{ path, value: used }] } }];
}
