import { chosenOf, type Chosen, type ModuleForm } from '../contract/module.ts';
import type { UpdateFact } from '../contract/updateColumns.ts';
import type { AnyValues } from '../core/settings.ts';
import { wordsOf, type Policy } from '../networks/policy.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { estimatorAsSet, objectiveIn, objectives } from '../slots/methods.ts';
import { revisions, rewards, rollouts } from '../slots/registry.ts';
import { hasScheme } from '../slots/rollout/types.ts';
import type { Estimator, Objective } from '../slots/types.ts';
import { wrappersOf } from '../slots/wrapper/registry.ts';
import { distanceOf, startsApart, type Playing } from './fresh.ts';
import { getValue } from './schema.ts';
import type { Config, SlotConfig } from './slots.ts';

/**
 * What of a run decides which columns it has: its policy, its modules and a few settings. A compiled plan is one; `modulesOf`
 * makes one of a config, for what is told of a run before it is compiled. All rules read this, and none of them stands twice.
 */
export type RunModules = Playing & {
  readonly policy: Policy;
  readonly estimator: Estimator;
  readonly estimatorParams: AnyValues;
  readonly objective: Objective;
  readonly rewards: readonly Chosen<Pick<ModuleForm, 'id' | 'needs' | 'makes'>>[];
  readonly revisions: readonly Chosen<Pick<ModuleForm, 'id' | 'needs'>>[];
  /** columns that the world of the run tells, for its metrics */
  readonly tells?: readonly string[];
  /** what adds other rows than fresh ones of the policy; null: nothing does */
  readonly scheme: { readonly forks?: boolean } | null;
  readonly normalizesReward: boolean;
  readonly control: { readonly klIn: 'loss' | 'reward' };
};

/** The action that writes the first symbol of a note, as the last ones do; null where nobody writes any. */
function firstNote({ task }: Config, policy: Policy): number | null {
  const symbols = wrappersOf(task).reduce((n, { module, params }) => module.noteSymbols?.(params) ?? n, 0);
  return symbols === 0 ? null : policy.shape.actions - symbols;
}

const settingsOf = (slot: SlotConfig, name: string): AnyValues => (slot[name] ?? {}) as AnyValues;

/** Columns that wrappers of a task tell. */
export const toldBy = ({ task }: Pick<Config, 'task'>): readonly string[] =>
  wrappersOf(task).flatMap(({ module }) => module.tells ?? []);

/** Null where a module is not known. */
export function modulesOf(config: Config, policy: Policy): RunModules | null {
  const estimator = estimatorIn(config.advantage);
  const objective = (objectives as readonly Objective[]).find((o) => o.id === config.objective.method);
  const rollout = rollouts.find((r) => r.id === config.rollout.method);
  if (!estimator || !objective || !rollout) return null;
  const estimatorParams = settingsOf(config.advantage, estimator.id);
  const objectiveParams = settingsOf(config.objective, objective.id);
  return {
    policy,
    estimator: estimatorAsSet(config.advantage, estimator, wordsOf(policy) !== null, {
      apartFrom: firstNote(config, policy),
      pools: config.task['poolLevels'] === true,
    }),
    estimatorParams,
    objective: objectiveIn(config.objective, objective),
    objectiveParams,
    rewards: chosenOf(rewards, config.reward),
    revisions: chosenOf(revisions, config.revise),
    tells: toldBy(config),
    scheme: objective.rows ? {} : hasScheme(rollout) ? rollout : null,
    behavior: distanceOf(config.rollout),
    normalizesReward: getValue(config, 'reward.normalize') === true,
    control: { klIn: getValue(config, 'objective.klIn') as 'loss' | 'reward' },
  };
}

/** Units of a step at most whose advantages are their own; 0 where those of a step share one. */
export function creditedUnits({ estimator, policy }: Pick<RunModules, 'estimator' | 'policy'>): number {
  return estimator.perUnit === true ? (wordsOf(policy)?.decisions ?? 0) : 0;
}

/** What is true of a run, by the name that columns ask for. */
const FACTS: Readonly<Record<UpdateFact, (run: RunModules) => boolean>> = {
  surveys: ({ objective }) => (objective.survey ?? objective.marks) !== undefined,
  startsApart,
  creditsUnits: (run) => creditedUnits(run) > 0,
  valuesUnits: (run) => creditedUnits(run) > 0 && run.estimator.critic === true,
  shapes: (run) => run.rewards.length > 0,
  normalizes: (run) => run.normalizesReward,
  paysKl: ({ control }) => control.klIn === 'reward',
  hasOrigins: ({ scheme }) => scheme !== null,
};

export function factsOf(run: RunModules): ReadonlySet<UpdateFact> {
  const all = Object.entries(FACTS) as [UpdateFact, (run: RunModules) => boolean][]; // one of each by the type
  return new Set(all.flatMap(([fact, holds]) => (holds(run) ? [fact] : [])));
}
