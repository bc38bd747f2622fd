import { columnOf, isColumn } from '../contract/columns.ts';
import { chosenOf } from '../contract/module.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { estimators, objectives } from '../slots/methods.ts';
import { rewards, revisions, rollouts, sources } from '../slots/registry.ts';
import { hasScheme, isCpuOnly, type Rollout } from '../slots/rollout/types.ts';
import { wrappersOf } from '../slots/wrapper/registry.ts';
import { BRANCH_COLUMNS } from '../contract/rows.ts';
import { makeLevelOf } from './level.ts';
import { isSeen, missingWrappers } from './rewardRules.ts';
import type { AnyValues } from '../core/settings.ts';
import { versionRuleOf } from './rolloutSettings.ts';
import type { Issue } from './rules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** Modules that look at forks where they may be missing, each with the setting that chooses it. */
function readersOf(config: Config): { readonly path: string; readonly needs: readonly string[] }[] {
  const estimator = estimatorIn(config.advantage);
  const stacked = [
    ...chosenOf(rewards, config.reward).map(({ module }) => ({ path: `reward.${module.id}.on`, module })),
    ...chosenOf(revisions, config.revise).map(({ module }) => ({ path: `revise.${module.id}.on`, module })),
  ];
  return [
    { path: 'advantage.method', needs: estimator?.needs ?? [] },
    ...stacked.map(({ path, module }) => ({ path, needs: module.needs ?? [] })),
  ];
}

const ON_CPU = { label: 'run on the CPU', set: [{ path: 'run.backend', value: 'cpu' }] };

/** What the rule that chooses versions cannot work with; a clock that has to be told of episodes is read on the CPU alone. */
function clockIssues({ rollout, run }: Config): Issue[] {
  const rule = versionRuleOf(rollout as AnyValues);
  const refused = rule.refuses?.(rollout as AnyValues) ?? null;
  const found: Issue[] = [];
  if (refused) {
    const [path, value] = [`rollout.${refused.setting}`, refused.instead];
    const repair = { label: `set ${String(value)}`, set: [{ path, value }] };
    found.push({ severity: 'error', path, message: refused.message, repair });
  }
  if ((rule.clockSize?.(rollout as AnyValues) ?? 0) > 0 && run['backend'] !== 'cpu')
    found.push({
      ...{
        severity: 'error',
        path: 'rollout.ages',
        message: 'asks how long episodes were, which the GPU does not tell',
      },
      repair: ON_CPU,
    });
  return found;
}

/** What the rows of a rollout cannot do with the rest of an experiment, or do in vain. */
export function rolloutIssues(config: Config): Issue[] {
  const path = 'rollout.method';
  const rollout = rollouts.find((r) => r.id === config.rollout.method)!;
  const found: Issue[] = [];
  const plain = { label: `use ${rollouts[0]!.title}`, set: [{ path, value: rollouts[0]!.id }] };
  const forking = rollouts.find((r) => r.forks);
  const isBranch = (name: string): boolean => (BRANCH_COLUMNS as readonly string[]).includes(name);
  // an objective that plans rows itself goes with no forks
  const planner = objectives.find((o) => o.id === config.objective.method)?.rows;
  const others = planner ? [{ path: 'objective.method', value: objectives[0]!.id }] : [];
  for (const reader of rollout.forks ? [] : readersOf(config).filter(({ needs }) => needs.some(isBranch)))
    found.push({
      ...{ severity: 'error', path: reader.path, message: 'needs episodes that were forked from others' },
      ...(forking ? { repair: { label: `use ${forking.title}`, set: [{ path, value: forking.id }, ...others] } } : {}),
    });
  if (rollout.memory && config.run['backend'] !== 'cpu')
    found.push(onlyOnCpu(config, 'remembers what happened before, which has no WebGPU form: it trains on the CPU'));
  for (const own of missingWrappers(config, rollout.wants ? [rollout.wants] : []))
    found.push({
      ...{ severity: 'error', path, message: `needs “${own.title}”, which the task does not have` },
      // where subgoals do not fit they are switched off: then the rollout goes, too
      repair:
        own.gives !== 'decides' && isSeen(config, own)
          ? { label: `switch ${own.title} on`, set: [{ path: `task.${own.id}.on`, value: true }] }
          : plain,
    });
  for (const { module } of wrappersOf(config.task).filter((own) => rollout.wants && own.module.loses === rollout.wants))
    found.push({
      ...{
        severity: 'error',
        path,
        message: `asks for what an episode reached, and “${module.title}” names no such goals`,
      },
      repair: { label: `switch ${module.title} off`, set: [{ path: `task.${module.id}.on`, value: false }] },
    });
  found.push(...clockIssues(config));
  found.push(...priceIssues(config, rollout));
  if (!hasScheme(rollout)) return found;
  found.push(...creditIssues(config, rollout));
  const objective = objectives.find((o) => o.id === config.objective.method);
  if (objective?.rows)
    found.push({
      ...{ severity: 'error', path, message: `cannot be combined with ${objective.title}, which plans rows itself` },
      repair: plain,
    });
  const onGpu = config.run['backend'] !== 'cpu';
  if (isCpuOnly(rollout) && onGpu) found.push(onlyOnCpu(config, 'has no WebGPU form: the run trains on the CPU'));
  if (!rollout.next) return found;
  const values = config.rollout[rollout.id];
  const G = getValue(config, 'rollout.groupSize') as number;
  if (onGpu && rollout.onGpu?.(values as never) === false)
    found.push(onlyOnCpu(config, 'chooses among other actions at forks, which only the CPU does'));
  else if (onGpu && !isCpuOnly(rollout) && !rollout.memory && !rollout.growth?.(values as never, G))
    found.push({
      ...{ severity: 'hint', path },
      message: 'looks at its episodes before it plays more: the GPU waits for the CPU several times per update',
    });
  if ((rollout.fresh?.(values as never, G) ?? G) >= G)
    found.push({ severity: 'hint', path, message: `adds no episodes: all ${G} of a group start fresh` });
  return found;
}

/** What a rollout cannot know that judges groups by their credit, before an update is paid for and credited. */
function creditIssues(config: Config, rollout: Rollout): Issue[] {
  if (!rollout.asksCredit?.(config.rollout[rollout.id] as never)) return [];
  const path = 'rollout.method';
  const estimator = estimatorIn(config.advantage);
  const isPlayed = (name: string): boolean => {
    const column = isColumn(name) ? columnOf(name) : null;
    return column?.made === 'always' || column?.played === true;
  };
  const later = (estimator?.needs ?? []).filter((name) => !isPlayed(name));
  const words = later.map((name) => (isColumn(name) ? columnOf(name).words : null) ?? name);
  if (later.length > 0)
    return [
      {
        ...{ severity: 'error', path },
        message: `judges groups by their credit, which ${estimator!.title} cannot tell before the update: it needs ${words[0]!}`,
        repair: { label: `use ${estimators[0]!.title}`, set: [{ path: 'advantage.method', value: estimators[0]!.id }] },
      },
    ];
  const isPaid = chosenOf(rewards, config.reward).length > 0 || getValue(config, 'reward.normalize') === true;
  if (!isPaid) return [];
  return [{ severity: 'hint', path, message: 'judges groups by what the world pays, before any reward is added' }];
}

/** It is played on the CPU path alone: there the run trains, unless it insists on WebGPU. */
function onlyOnCpu(config: Config, message: string): Issue {
  const path = 'rollout.method';
  if (config.run['backend'] === 'auto') return { severity: 'hint', path, message };
  return { severity: 'error', path, message, repair: ON_CPU };
}

/** What a rollout charges beyond its batch, what it does in vain, and what it cannot tell the task source. */
function priceIssues(config: Config, rollout: Rollout): Issue[] {
  const path = 'rollout.method';
  const params = config.rollout[rollout.id] as never;
  const number = (at: string): number => getValue(config, at) as number;
  const level = makeLevelOf(config);
  const sizes = {
    ...{ P: number('rollout.tasksPerBatch'), G: number('rollout.groupSize') },
    ...{ T: level.ok ? level.value.maxSteps : Infinity, levels: number('task.levels') },
    decides: level.ok ? level.value.decides : [],
  };
  const texts = [rollout.charges?.(params) ?? null, level.ok ? (rollout.warns?.(params, sizes) ?? null) : null];
  const hints = texts.flatMap((message): Issue[] => (message === null ? [] : [{ severity: 'hint', path, message }]));
  const source = sources.find((s) => s.id === config.source.method);
  const asks = source?.asks?.(config.source[source.id] as never) ?? [];
  const isAsked = asks.some((what) => what !== 'startValue' && what !== 'passed' && what !== 'ahead');
  if (!rollout.round || !source?.wantsOutcomes) return hints;
  if (!isAsked) return [...hints, { severity: 'hint', path, message: LATER_ROUNDS }];
  return [
    ...hints,
    {
      ...{ severity: 'error', path: 'source.method' },
      message: `judges levels by the credit of their episodes, which ${rollout.title} may replace`,
      repair: { label: 'draw evenly', set: [{ path: 'source.method', value: sources[0]!.id }] },
    },
  ];
}

const LATER_ROUNDS = 'asks the task source for its first round alone: levels of later rounds are drawn evenly';
