import { columnsOf, updateColumnsOf, type ColumnName } from '../contract/columns.ts';
import type { ColumnSizes } from '../contract/columnTable.ts';
import { BRANCH_COLUMNS, ROW_COLUMNS } from '../contract/rows.ts';
import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { type Policy, wordsOf } from '../networks/policy.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import type { LevelFacts } from './level.ts';
import { factsOf, type RunModules } from './runModules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a module says about columns. */
type Uses = { readonly needs?: readonly string[]; readonly makes?: readonly string[] };

/** The columns of a run: what its rollout and its network make, and what its modules need and make. */
export function columnsOfRun(run: RunModules): ReadonlySet<ColumnName> {
  const { policy, estimator, objective, rewards, revisions, scheme } = run;
  const { words, shape } = policy;
  const made: ColumnName[] = [];
  if (words) made.push('command', 'unitLogp', 'unitEntropy', 'unitDelta');
  if (shape.critic && shape.values === 2) made.push('valueHeads');
  if (scheme) made.push(...ROW_COLUMNS, ...(scheme.forks ? BRANCH_COLUMNS : []));
  const chosen = [...rewards, ...revisions].map(({ module }) => module as Uses);
  const modules: readonly Uses[] = [estimator, objective, ...chosen];
  const score = estimator.scores?.(run.estimatorParams as never);
  return columnsOf(
    [
      ...modules.flatMap(({ needs = [] }) => needs),
      ...(score?.of === 'signal' ? [score.signal] : []),
      ...(run.tells ?? []),
    ],
    [...made, ...modules.flatMap(({ makes = [] }) => makes)],
  );
}

/** The columns of an update of a run. */
export const updateColumnsOfRun = (run: RunModules): ReadonlySet<ColumnName> => updateColumnsOf(factsOf(run));

/** Sizes of the columns of one replica. */
export function columnSizes(
  { P, B, T, words, epochs }: Pick<ColumnSizes, 'P' | 'B' | 'T' | 'words'> & { readonly epochs: number },
  policy: Policy,
  { actions, obsWords, cells }: Pick<ColumnSizes, 'actions' | 'obsWords' | 'cells'>,
): ColumnSizes {
  const K = wordsOf(policy)?.decisions ?? 0;
  return { P, B, T, K, words, actions, obsWords, cells, passes: epochs + 1 };
}

/** Sizes of the columns of one replica with this many rows. */
export function sizesOfConfig(
  config: Config,
  { maxSteps: T, policy, actions, features, cells }: LevelFacts,
  B: number,
): ColumnSizes {
  const env = environments.find((e) => e.id === config.task.method)!;
  const { words } = wrappedBy(wrappersOf(config.task), env, config.reward[env.id] as AnyValues);
  const P = getValue(config, 'rollout.tasksPerBatch') as number;
  const epochs = getValue(config, 'objective.epochs') as number;
  return columnSizes({ P, B, T, words, epochs }, policy, { actions, obsWords: Math.ceil(features / 32), cells });
}
