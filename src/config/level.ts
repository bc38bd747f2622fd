import { fail, ok, type Result } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { plainView, shareStates, taskFacts } from '../envs/facts.ts';
import { criticsOf, policyFrom, viewOf, type Policy } from '../policies/policy.ts';
import { estimators } from '../methods/registry.ts';
import type { Config } from './slots.ts';

/** Sizes of the level a config asks for, with the first level seed, and the policy it makes. */
export type LevelFacts = {
  readonly maxSteps: number;
  readonly features: number;
  readonly actions: number;
  readonly policy: Policy;
  /** true if every level seed gives the same map */
  readonly isFixed: boolean;
};

/** Loads what the level of a config needs and is not in memory yet; null if nothing is missing. */
export function prepareTask(config: Config): Promise<void> | null {
  const env = environments.find((e) => e.id === config.task.method);
  return env?.prepare?.((config.task[env.id] ?? {}) as AnyValues) ?? null;
}

/** True if the levels of several seeds have the same states: then one table serves them all, and cannot tell them apart. */
export function sharesStates(config: Config): boolean {
  const env = environments.find((e) => e.id === config.task.method)!;
  const settings = { ...(config.task[env.id] as AnyValues), view: plainView(env) };
  const levels = [1, 2, 3, 4].map((seed) => env.level(settings, (config.reward[env.id] ?? {}) as AnyValues, seed));
  return shareStates(
    env,
    levels.flatMap((level) => (level.ok ? [level.value] : [])),
  );
}

const known = new WeakMap<Config, Result<LevelFacts>>();

/**
 * The level of a config, parsed or drawn once however many rules ask for it; what is wrong comes back as a Problem. A
 * Problem is not kept: levels that were still on their way may have come since.
 */
export function makeLevelOf(config: Config): Result<LevelFacts> {
  const before = known.get(config);
  if (before) return before;
  const facts = levelFacts(config);
  if (facts.ok) known.set(config, facts);
  return facts;
}

function levelFacts(config: Config): Result<LevelFacts> {
  const env = environments.find((e) => e.id === config.task.method);
  if (!env) return fail({ kind: 'configRejected', issues: [{ path: 'task.method', message: 'is not known here' }] });
  const settings = (config.task[env.id] ?? {}) as AnyValues;
  const rewards = (config.reward[env.id] ?? {}) as AnyValues;
  const { method } = config.policy;
  // a table has as many rows as there are states; counting them is left to the run
  const wanted =
    viewOf(method) === 'tokens' ? 'tokens' : settings['view'] === 'index' ? plainView(env) : settings['view']!;
  const level = env.level({ ...settings, view: wanted }, rewards, 1);
  if (!level.ok) return level;
  const state = new Uint32Array(env.words);
  env.reset(level.value, state, 0);
  const first = env.text(level.value, state, 0);
  const isFixed = [2, 3, 4].every((seed) => {
    const other = env.level(settings, rewards, seed);
    if (!other.ok) return false;
    env.reset(other.value, state, 0);
    return env.text(other.value, state, 0) === first;
  });
  const facts = taskFacts(env, level.value);
  const critic = estimators.find((e) => e.id === config.advantage.method)?.critic === true;
  const policy = policyFrom(
    method,
    (config.policy[method] ?? {}) as AnyValues,
    facts,
    critic,
    criticsOf(config.policy),
  );
  return ok({ maxSteps: env.maxSteps(level.value), features: facts.features, actions: facts.actions, policy, isFixed });
}
