import type { StepRole } from '../contract/units.ts';
import { whole } from '../contract/later.ts';
import { fail, ok, type Result } from '../core/problem.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import type { Environment } from '../envs/types.ts';
import { prepareNames } from '../envs/levelDeal.ts';
import { cellsShown, plainView, shareStates, taskFacts } from '../envs/facts.ts';
import { criticsOf, networkOf, policyFrom, prepareNetwork, viewOf, type Policy } from '../networks/policy.ts';
import { networks } from '../networks/registry.ts';
import type { TaskFacts } from '../networks/types.ts';
import { estimatorIn, prepareEstimators } from '../slots/estimatorOf.ts';
import { estimators } from '../slots/methods.ts';
import { wrappers } from '../slots/registry.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { unfitIssue } from './unfit.ts';
import { comparesLevels } from './comparesLevels.ts';
import { actingModules, allModules } from './runState.ts';
import type { Config, SlotConfig } from './slots.ts';

/** Sizes of the level a config asks for, with the first level seed, and the policy it makes. */
export type LevelFacts = {
  readonly maxSteps: number;
  readonly features: number;
  /** cells of an observation, by which two of them are compared */
  readonly cells: number;
  readonly actions: number;
  readonly policy: Policy;
  /** true if every level seed gives the same map */
  readonly isFixed: boolean;
  /** what each action decides, where steps are told apart */
  readonly decides: readonly StepRole[];
};

/** The view that the policy reads: its own, where it can read no other, or that of the task. */
export const seenView = ({ policy, task }: Pick<Config, 'policy' | 'task'>): string =>
  viewOf(policy.method) ?? String((task[task.method] as AnyValues)['view']);

/** Loads what the level, the credit and the network of a config need and is not in memory yet; null if nothing is missing. */
export function prepareTask(config: Config): Promise<void> | null {
  const bare = environments.find((e) => e.id === config.task.method);
  const env = bare && wrappedBy(wrappersOf(config.task), bare, (config.reward[bare.id] ?? {}) as AnyValues);
  // a fork begins with the settings of its parent, whose modules may be any
  const all = config.run['fork'] !== '';
  const credit = prepareEstimators(all ? estimators.map(({ id }) => id) : [config.advantage.method]);
  const parts = whole(all ? allModules : actingModules(config).map(({ module }) => module));
  const level = env?.prepare?.((config.task[env.id] ?? {}) as AnyValues);
  const network = prepareNetwork(networkOf(config.policy.method));
  const names = all || comparesLevels(config) || config.task['poolLevels'] === true ? prepareNames() : null;
  const waits = [names ?? [], level ?? [], network ?? [], parts ?? [], credit ?? []].flat();
  return waits.length > 0 ? Promise.all(waits).then(() => undefined) : null;
}

/** Loads what all methods compute with, as below. */
export const prepareMethods = (): Promise<void> => whole(allModules) ?? Promise.resolve();

/** Loads what all networks compute with: where there is time for it, before a run asks. */
export async function prepareNetworks(): Promise<void> {
  for (const network of networks) await prepareNetwork(network);
}

/** Loads the rules of all worlds, and of what may stand before them, as above. */
export async function prepareWorlds(): Promise<void> {
  for (const env of environments) await env.prepare?.({});
  for (const { world, params } of wrappers) await world?.(environments[0]!, defaultsOf(params), {}).prepare?.({});
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

/** What the task alone decides, however the rest of a config changes. */
type TaskSizes = Pick<LevelFacts, 'maxSteps' | 'cells' | 'isFixed' | 'decides'> & {
  readonly facts: TaskFacts;
  readonly env: Environment;
};

const knownTasks = new WeakMap<SlotConfig, { readonly reward: SlotConfig; readonly view: string; sizes: TaskSizes }>();

function levelFacts(config: Config): Result<LevelFacts> {
  const task = taskSizes(config);
  if (!task.ok) return task;
  const { maxSteps, facts, cells, isFixed, decides, env } = task.value;
  const unfit = unfitIssue(config, env, facts);
  if (unfit) return fail({ kind: 'configRejected', issues: [unfit] });
  const { method } = config.policy;
  const critic = estimatorIn(config.advantage)?.critic === true;
  const own = (config.policy[method] ?? {}) as AnyValues;
  const policy = policyFrom(method, own, facts, critic, criticsOf(config.policy));
  return ok({ maxSteps, features: facts.features, cells, actions: facts.actions, policy, isFixed, decides });
}

/** Sizes of the level of seed 1. Where states are numbered they are counted, as the policy has weights for each of them. */
function taskSizes(config: Config): Result<TaskSizes> {
  const bare = environments.find((e) => e.id === config.task.method);
  if (!bare) return fail({ kind: 'configRejected', issues: [{ path: 'task.method', message: 'is not known here' }] });
  const settings = (config.task[bare.id] ?? {}) as AnyValues;
  const rewards = (config.reward[bare.id] ?? {}) as AnyValues;
  const env = wrappedBy(wrappersOf(config.task), bare, rewards);
  const view = seenView(config);
  const before = knownTasks.get(config.task);
  if (before?.reward === config.reward && before.view === view) return ok(before.sizes);
  const plain = view === 'index' ? plainView(env) : view;
  const level = env.level({ ...settings, view: plain }, rewards, 1);
  if (!level.ok) return level;
  // a level with too many states to number is refused when the run is made
  const numbered = view === 'index' ? env.level({ ...settings, view }, rewards, 1) : level;
  const state = new Uint32Array(env.words);
  env.reset(level.value, state, 0);
  const first = env.text(level.value, state, 0);
  const isFixed = [2, 3, 4].every((seed) => {
    const other = env.level({ ...settings, view: plain }, rewards, seed);
    if (!other.ok) return false;
    env.reset(other.value, state, 0);
    return env.text(other.value, state, 0) === first;
  });
  const shown = numbered.ok ? numbered.value : level.value;
  const facts = taskFacts(env, shown);
  const cells = cellsShown(env, shown, view);
  const sizes = {
    maxSteps: env.maxSteps(level.value),
    facts,
    cells,
    isFixed,
    decides: env.decides?.(level.value) ?? [],
    env,
  };
  knownTasks.set(config.task, { reward: config.reward, view, sizes });
  return ok(sizes);
}
