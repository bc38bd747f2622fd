import { chosenOf, type Chosen, type ModuleForm } from '../contract/module.ts';
import { signalNames, type Potential } from '../contract/signals.ts';
import { defaultsOf, type AnyValues } from '../core/settings.ts';
import { plainView } from '../envs/facts.ts';
import { environments } from '../envs/registry.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { estimators } from '../slots/methods.ts';
import { rewards, wrappers } from '../slots/registry.ts';
import { wrappersOf } from '../slots/wrapper/registry.ts';
import { makeLevelOf, seenView } from './level.ts';
import type { Issue } from './rules.ts';
import type { Config, SlotConfig } from './slots.ts';

type RewardModule = (typeof rewards)[number];
type Wrapper = (typeof wrappers)[number];
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
  const chosen = chosenOf(rewards, config.reward);
  for (const { module, params } of chosen) {
    const at = (name: string): string => `reward.${module.id}.${name}`;
    const potential = module.potential?.(params as never);
    const needs: readonly string[] = (module as ModuleForm).needs ?? [];
    const tells = needs.some((name) => (signalNames as readonly string[]).includes(name));
    if (level.ok && tells && !hasTable(config, potential ?? { of: 'distance', gamma: 1 })) {
      const message = 'needs a level whose states can all be listed, and this one has more than 20,000';
      found.push({ severity: 'error', path: at('on'), message, repair: off(module) });
    }
    // whoever has no discount of its own does not claim to leave the best policy alone
    if (potential && 'gamma' in module.params) found.push(...discountHint(config, at('gamma'), potential.gamma));
  }
  return [
    ...found,
    ...missingIssues(config, chosen),
    ...togetherIssues(chosen),
    ...(level.ok ? farmHints(config, chosen, level.value.maxSteps) : []),
  ];
}

/** Wrappers that make what a module reads, and are off. */
export function missingWrappers(config: Config, needs: readonly string[]): readonly Wrapper[] {
  const acting = wrappersOf(config.task);
  return wrappers.filter(
    (own) => needs.includes(own.deals ?? own.gives ?? '') && !acting.some(({ module }) => module === own),
  );
}

/** What no wrapper deals, and credit that reads what only a reward module that is off would make. */
function missingIssues(config: Config, chosen: readonly Chosen<RewardModule>[]): Issue[] {
  const found: Issue[] = [];
  const switchOn = ({ id }: Wrapper) => ({ path: `task.${id}.on`, value: true });
  for (const { module } of chosen)
    for (const own of missingWrappers(config, (module as ModuleForm).needs ?? [])) {
      const message =
        own.deals === 'budget'
          ? 'needs step budgets that the agent sees, and the task deals none'
          : own.gives === 'decides'
            ? 'needs a policy that sets itself subgoals, and it sets none'
            : 'needs a teacher who tells subgoals, and the task has none';
      const fits = own.gives !== 'decides' && isSeen(config, own);
      const repair = fits ? { label: `switch ${own.title} on`, set: [switchOn(own)] } : off(module);
      found.push({ severity: 'error', path: `reward.${module.id}.on`, message, repair });
    }
  const { title, needs } = estimatorIn(config.advantage)!;
  const maker = rewards.find(({ makes = [] }) => makes.some((name) => needs.includes(name as never)));
  if (!maker || chosen.some(({ module }) => module === maker)) return found;
  const missing = missingWrappers(config, maker.needs);
  // only one module can stand in place of the reward
  const others = chosen.filter(({ module }) => maker.kind === 'replacing' && module.kind === 'replacing');
  const set = [
    { path: `reward.${maker.id}.on`, value: true },
    ...others.map(({ module }) => ({ path: `reward.${module.id}.on`, value: false })),
    ...missing.map(switchOn),
  ];
  const message = `needs the reward “${maker.title}”, which is off`;
  const plain = estimators[0]!;
  const repair = missing.some((own) => !isSeen(config, own))
    ? { label: `use ${plain.title}`, set: [{ path: 'advantage.method', value: plain.id }] }
    : { label: `switch it on`, set };
  return [...found, { severity: 'error', path: 'advantage.method', message: `is ${title}, which ${message}`, repair }];
}

/** True if the view of the policy has room for what a wrapper shows. */
export function isSeen(config: Config, { params, refuses }: Wrapper): boolean {
  return (refuses?.(defaultsOf(params), seenView(config)) ?? null) === null;
}

const off = ({ id, title }: RewardModule): NonNullable<Issue['repair']> => ({
  label: `switch ${title} off`,
  set: [{ path: `reward.${id}.on`, value: false }],
});

/** One module at most replaces the reward, and all that read Φ read the same. */
function togetherIssues(chosen: readonly Chosen<RewardModule>[]): Issue[] {
  const [first, second] = chosen.filter(({ module }) => module.kind === 'replacing').map(({ module }) => module);
  const found: Issue[] = [];
  if (first && second) {
    const message = `stands in place of the reward, and so does ${first.title}: only one can`;
    found.push({ severity: 'error', path: `reward.${second.id}.on`, message, repair: off(second) });
  }
  const [one, other] = chosen.filter(({ module }) => module.potential);
  const of = ({ module, params }: Chosen<RewardModule>): Potential => module.potential!(params as never);
  if (one && other && of(one).of !== of(other).of) {
    const path = `reward.${other.module.id}.potential`;
    const message = `is another than that of ${one.module.title}, and a run has one`;
    const set = [{ path, value: of(one).of }];
    found.push({ severity: 'error', path, message, repair: { label: 'use the same', set } });
  }
  return found;
}

/** What modules can pay in a whole episode of so many steps, each by itself and all together, against the goal. */
function farmHints(config: Config, chosen: readonly Chosen<RewardModule>[], steps: number): Issue[] {
  const goal = (((config.reward[config.task.method] as AnyValues)['goal'] as number | undefined) ?? 0) / 1000;
  if (goal <= 0) return [];
  const shown = (x: number): string => String(Number(x.toFixed(2)));
  const paid = chosen
    .map(({ module, params }) => ({ module, most: (module.mostPerStep?.(params as never, steps) ?? 0) * steps }))
    .filter(({ most }) => most > 0);
  const hint = ({ id }: RewardModule, message: string): Issue => ({
    ...{ severity: 'hint', path: `reward.${id}.on` },
    message: `${message} and the goal ${goal}: the agent may farm it`,
  });
  const large = paid.filter(({ most }) => most > goal);
  const sum = paid.reduce((total, { most }) => total + most, 0);
  if (large.length === 0 && sum > goal)
    return [
      hint(
        paid.at(-1)!.module,
        `with ${paid
          .slice(0, -1)
          .map((p) => p.module.title)
          .join(' and ')} pays up to ${shown(sum)} in a whole episode`,
      ),
    ];
  return large.map(({ module, most }) => hint(module, `pays up to ${shown(most)} in a whole episode`));
}

/** Only with the discount of the credit does shaping leave the best policy alone; outcomes are summed without one. */
function discountHint(config: Config, path: string, gamma: number): Issue[] {
  const estimator = estimatorIn(config.advantage)!;
  const own = (config.advantage[estimator.id] as AnyValues)['gamma'];
  const used = typeof own === 'number' ? own : 1;
  if (used === gamma) return [];
  const message = `is not the ${used} with which ${estimator.title} adds up rewards, so the shaping becomes an extra reward`;
  return [{ severity: 'hint', path, message, repair: { label: `set ${used}`, set: [{ path, value: used }] } }];
}
