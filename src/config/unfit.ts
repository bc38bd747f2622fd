import type { ConfigIssue } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Environment } from '../envs/types.ts';
import { networkOf } from '../networks/policy.ts';
import { networks } from '../networks/registry.ts';
import type { TaskFacts } from '../networks/types.ts';
import type { Config } from './slots.ts';

/** Why the network of a config cannot be made for its task; null: it can. */
export function unfitIssue(config: Config, env: Environment, facts: TaskFacts): ConfigIssue | null {
  const network = networkOf(config.policy.method);
  if (network.readsBoard && !facts.board) return boardIssue(config, env);
  const unfit = network.unfit?.((config.policy[network.id] ?? {}) as never, facts);
  if (!unfit) return null;
  const { message, setting, repair } = unfit;
  const path = `policy.${network.id}.${setting}`;
  return { path, message, ...(repair && { repair: { label: repair.label, set: [{ path, value: repair.value }] } }) };
}

/** A network of boards where none is shown: the first view that shows one, or the usual network. */
function boardIssue(config: Config, env: Environment): ConfigIssue {
  const message = 'reads a map, and this task shows none';
  const settings = (config.task[env.id] ?? {}) as AnyValues;
  const rewards = (config.reward[env.id] ?? {}) as AnyValues;
  const { view } = env.settings;
  const options = view?.kind === 'choice' ? view.options : [];
  const k = options.findIndex((option) => {
    const level = env.level({ ...settings, view: option }, rewards, 1);
    return level.ok && (env.board?.(level.value) ?? null) !== null;
  });
  const path = 'policy.method';
  const [{ id, title }] = networks as readonly [(typeof networks)[number]];
  if (view?.kind !== 'choice' || k < 0)
    return { path, message, repair: { label: `use ${title}`, set: [{ path, value: id }] } };
  const label = `show the ${view.optionLabels?.[k] ?? options[k]}`;
  return { path, message, repair: { label, set: [{ path: `task.${env.id}.view`, value: options[k] }] } };
}
