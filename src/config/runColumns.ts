import { chosenOf } from '../contract/module.ts';
import { columnsOf, type ColumnName } from '../contract/columns.ts';
import type { ColumnSizes } from '../contract/columnTable.ts';
import { environments } from '../envs/registry.ts';
import { estimators, objectives } from '../slots/methods.ts';
import { rewards, rollouts } from '../slots/registry.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { hasScheme } from '../slots/rollout/types.ts';
import type { AnyValues } from '../core/settings.ts';
import { BRANCH_COLUMNS, ROW_COLUMNS } from '../contract/rows.ts';
import { updateColumnsOf } from '../contract/updateColumns.ts';
import { objectiveWith } from '../slots/types.ts';
import { isFresh } from './fresh.ts';
import { type Policy, wordsOf } from '../networks/policy.ts';
import type { LevelFacts } from './level.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a module says about columns. */
type Uses = {
  /** rows of another origin than the policy's own */
  readonly rows?: unknown;
  readonly id: string;
  readonly needs?: readonly string[];
  readonly makes?: readonly string[];
};

/** The columns of a run: what its rollout and its network make, and what its modules need and make. */
export function runColumns({ words, shape }: Policy, modules: readonly Uses[]): ReadonlySet<ColumnName> {
  const made: ColumnName[] = [];
  if (words) made.push('command', 'unitLogp', 'unitEntropy', 'unitDelta');
  if (shape.critic && shape.values === 2) made.push('valueHeads');
  return columnsOf(
    modules.flatMap(({ needs = [] }) => needs),
    [...made, ...modules.flatMap(({ rows, makes = [] }) => (rows ? [...ROW_COLUMNS, ...makes] : makes))],
  );
}

/** What a scheme of rows makes. */
export const madeByRows = ({ forks }: { readonly forks?: boolean }): readonly ColumnName[] => [
  ...ROW_COLUMNS,
  ...(forks ? BRANCH_COLUMNS : []),
];

/** Sizes of the columns of one replica. */
export function columnSizes(
  { P, B, T, words, epochs }: Pick<ColumnSizes, 'P' | 'B' | 'T' | 'words'> & { readonly epochs: number },
  policy: Policy,
  { actions, obsWords }: Pick<ColumnSizes, 'actions' | 'obsWords'>,
): ColumnSizes {
  const K = wordsOf(policy)?.decisions ?? 0;
  return { P, B, T, K, words, actions, obsWords, cells: 0, passes: epochs + 1 };
}

/** The module of a config that gives its batches other rows than fresh ones. */
const schemeOf = ({ rollout }: Config) => rollouts.find((r) => r.id === rollout.method && hasScheme(r));

/** The columns of a config. */
export function columnsOfConfig(config: Config, policy: Policy): ReadonlySet<ColumnName> {
  const estimator = estimators.find((e) => e.id === config.advantage.method);
  const objective = objectives.find((o) => o.id === config.objective.method);
  const rollout = schemeOf(config);
  const modules: readonly (Uses | undefined)[] = [
    ...[estimator, objective, ...chosenOf(rewards, config.reward).map(({ module }) => module)],
    rollout && { id: rollout.id, makes: madeByRows(rollout) },
  ];
  return runColumns(
    policy,
    modules.filter((module) => module !== undefined),
  );
}

/** The columns of an update of a config. */
export function updateColumnsOfConfig(config: Config, policy: Policy): ReadonlySet<ColumnName> {
  const estimator = estimators.find((e) => e.id === config.advantage.method);
  const objective = objectives.find((o) => o.id === config.objective.method);
  return updateColumnsOf({
    surveys: !!objective && objectiveWith(objective, config.objective[objective.id] as AnyValues).survey !== undefined,
    startsApart: !isFresh(config),
    creditsUnits: estimator?.perUnit === true && wordsOf(policy) !== null,
    shapes: chosenOf(rewards, config.reward).length > 0,
    normalizes: getValue(config, 'reward.normalize') === true,
    paysKl: getValue(config, 'objective.klIn') === 'reward',
    hasOrigins: objective?.rows !== undefined || schemeOf(config) !== undefined,
  });
}

/** Sizes of the columns of one replica with this many rows. */
export function sizesOfConfig(
  config: Config,
  { maxSteps: T, policy, actions, features }: LevelFacts,
  B: number,
): ColumnSizes {
  const env = environments.find((e) => e.id === config.task.method)!;
  const { words } = wrappedBy(wrappersOf(config.task), env, config.reward[env.id] as AnyValues);
  const P = getValue(config, 'rollout.tasksPerBatch') as number;
  const epochs = getValue(config, 'objective.epochs') as number;
  return columnSizes({ P, B, T, words, epochs }, policy, { actions, obsWords: Math.ceil(features / 32) });
}
