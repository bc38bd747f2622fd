import { signalNames } from '../contract/signals.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { pathOf, wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import { columnsOfRun } from './runColumns.ts';
import { modulesOf } from './runModules.ts';
import type { Config } from './slots.ts';

/** What a world tells beside its reward is needed by a module, and a wrapper makes a world that tells nothing. */
export function signalIssues(config: Config): Issue[] {
  const acting = wrappersOf(config.task);
  const bare = environments.find(({ id }) => id === config.task.method);
  const level = makeLevelOf(config);
  const run = level.ok ? modulesOf(config, level.value.policy) : null;
  if (!bare || !run) return [];
  const present = columnsOfRun(run);
  if (!signalNames.some((name) => present.has(name))) return [];
  const rewards = (config.reward[bare.id] ?? {}) as AnyValues;
  const silent = acting.find((_, k) => !wrappedBy(acting.slice(0, k + 1), bare, rewards).signals);
  if (!silent) return [];
  const path = pathOf(silent.module);
  const message = 'makes a world that tells nothing beside its reward, and a module of this run needs that';
  const repair = { label: 'switch it off', set: [{ path, value: false }] };
  return [{ severity: 'error', path, message, repair }];
}
