import { environments } from '../envs/registry.ts';
import { networkOf } from '../networks/policy.ts';
import type { AnyValues } from '../core/settings.ts';
import { networks } from '../networks/registry.ts';
import type { NetworkModule } from '../networks/types.ts';
import { objectives } from '../slots/methods.ts';
import { versionRules } from '../slots/registry.ts';
import type { Objective } from '../slots/types.ts';
import { wrappersOf } from '../slots/wrapper/registry.ts';
import { makeLevelOf } from './level.ts';
import { versionRuleOf } from './rolloutSettings.ts';
import type { Issue } from './rules.ts';
import type { Config } from './slots.ts';

const error = (path: string, message: string, label: string, set: { path: string; value: unknown }): Issue => ({
  ...{ severity: 'error', path, message },
  repair: { label, set: [set] },
});

/** Are actions written in words? */
export const writes = (config: Config): boolean => networkOf(config.policy.method).words !== undefined;

/** What the network of a config refuses, and what does not go together with it. */
export function networkIssues(config: Config): Issue[] {
  const network = networkOf(config.policy.method);
  return [
    ...ownIssues(config, network),
    ...lengthIssues(config, network),
    ...memoryHints(config, network),
    ...darkIssues(config, network),
    ...manyIssues(config, network),
    ...objectiveIssues(config, network),
    ...frozenIssues(config, network),
    ...deviceIssues(config, network),
  ];
}

/** What the network says about its own settings. */
function ownIssues(config: Config, network: NetworkModule): Issue[] {
  const level = makeLevelOf(config);
  const facts = {
    shape: level.ok ? level.value.policy.shape : null,
    backend: config.run['backend'] as string,
    narrows: objectiveOf(config)?.restricts !== undefined,
  };
  const issues = network.issues?.(config.policy[network.id] as never, facts) ?? [];
  return issues.map(({ severity, setting, message, repair }) => {
    const path = `policy.${network.id}.${setting}`;
    return repair ? error(path, message, repair.label, { path, value: repair.value }) : { severity, path, message };
  });
}

/** A board that is dark for who acts, for a network that reads nothing else well. */
function darkIssues(config: Config, { readsBoard, title }: NetworkModule): Issue[] {
  if (!readsBoard) return [];
  return wrappersOf(config.task).flatMap(({ module, params }): Issue[] => {
    const dark = module.darkens?.(params);
    if (!dark) return [];
    const path = `task.${module.id}.${dark.setting}`;
    const message = `leaves the board dark while the agent acts: “${title}” sees nothing there`;
    return [
      { severity: 'hint', path, message, repair: { label: 'show everything', set: [{ path, value: dark.instead }] } },
    ];
  });
}

function lengthIssues(config: Config, { mostSteps = Infinity }: NetworkModule): Issue[] {
  const level = makeLevelOf(config);
  if (!level.ok || level.value.maxSteps <= mostSteps) return [];
  const [{ id, title }] = networks as readonly [NetworkModule];
  const message = `remembers at most ${mostSteps} steps; an episode here has ${level.value.maxSteps}`;
  return [error('policy.method', message, `use ${title}`, { path: 'policy.method', value: id })];
}

/** A memory of what is in view anyway. */
function memoryHints(config: Config, { reads }: NetworkModule): Issue[] {
  const level = makeLevelOf(config);
  if (!reads || !level.ok || !(level.value.policy.reads > 0)) return [];
  const env = environments.find(({ id }) => id === config.task.method)!;
  // what stands between agent and world may hide something of its own, or keep something back
  if (env.hides?.(config.task[env.id] as AnyValues) || wrappersOf(config.task).length > 0) return [];
  const message =
    'remembers earlier steps, but this view shows the whole state: expect no gain over a network without memory';
  return [{ severity: 'hint', path: 'policy.method', message }];
}

/** Actions that bits can tell apart. */
const MOST_ACTIONS = 32;

/** More actions than bits: only words can write them, and none can be forbidden. */
function manyIssues(config: Config, { words }: NetworkModule): Issue[] {
  const level = makeLevelOf(config);
  if (!level.ok || level.value.actions <= MOST_ACTIONS) return [];
  const found: Issue[] = [];
  const many = `${level.value.actions} choices, actions with their tags counted, and at most ${MOST_ACTIONS} fit`;
  const writer = networks.find((network) => network.words)!;
  const path = 'policy.method';
  if (!words) found.push(error(path, `would have ${many}`, `write them: ${writer.title}`, { path, value: writer.id }));
  const mask = `task.${config.task.method}.maskActions`;
  const message = `cannot say which are possible: there are ${many}`;
  if ((config.task[config.task.method] as AnyValues)['maskActions'] === true)
    found.push(error(mask, message, 'switch it off', { path: mask, value: false }));
  return found;
}

/** What asks for more than logits and values of single steps. */
function objectiveIssues(config: Config, { isChain, words, reads }: NetworkModule): Issue[] {
  const found: Issue[] = [];
  const objective = objectiveOf(config);
  const asksMore = objective?.restricts ?? objective?.readsScores?.(config.objective[objective.id] as never);
  const path = 'objective.method';
  const message = 'asks the network for more than logits and values, and this one has no more';
  if (asksMore && !isChain && !words) found.push(error(path, message, 'use PPO clip', { path, value: 'ppoClip' }));
  const at = 'rollout.ages';
  const turns = 'lets versions take turns, and a memory belongs to one of them';
  const one = versionRules.find(({ playsOne }) => playsOne)?.id;
  if (reads && !words && !versionRuleOf(config.rollout as AnyValues).playsOne)
    found.push(error(at, turns, 'one age', { path: at, value: one }));
  return found;
}

/** A part that imitates and then stays: it wants something to imitate, and nothing else may move it. */
function frozenIssues({ policy, optimizer }: Config, { imitates }: NetworkModule): Issue[] {
  if (!imitates) return [];
  const found: Issue[] = [];
  const message = 'has a frozen part that imitates nothing here, so it stays as it was drawn';
  if (policy['cloneEpisodes'] === 0) {
    const set = [{ path: 'policy.cloneEpisodes', value: 16 }];
    found.push({ severity: 'hint', path: set[0]!.path, message, repair: { label: 'imitate 16 solutions', set } });
  }
  const decay = `optimizer.${optimizer.method}.weightDecay`;
  if (Number((optimizer[optimizer.method] as AnyValues)['weightDecay'] ?? 0) > 0)
    found.push(error(decay, 'would shrink the frozen part of the network, too', 'no decay', { path: decay, value: 0 }));
  return found;
}

/** A network without a recording trains on the CPU, whatever device there is. */
function deviceIssues(config: Config, { gpu }: NetworkModule): Issue[] {
  const { backend } = config.run;
  if (gpu || backend === 'cpu') return [];
  const path = 'policy.method';
  const message = 'has no WebGPU form: it trains on the CPU';
  if (backend === 'auto') return [{ severity: 'hint', path, message }];
  return [error(path, message, 'run on the CPU', { path: 'run.backend', value: 'cpu' })];
}

const objectiveOf = (config: Config): Objective | undefined =>
  (objectives as readonly Objective[]).find((o) => o.id === config.objective.method);
