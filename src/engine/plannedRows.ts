import type { Config, SlotConfig } from '../config/slots.ts';
import type { RowPlan } from '../contract/rows.ts';
import type { Tensors } from '../contract/state.ts';
import { trainingContext, type TaskSizes } from '../contract/taskContext.ts';
import type { AnyValues } from '../core/settings.ts';
import { schemes } from '../slots/rollout/registry.ts';
import type { SourceContext } from '../slots/task/types.ts';
import type { Objective } from '../slots/types.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import { schemeWith, type Rollout, type RolloutScheme, type RowContext } from '../slots/rollout/types.ts';
import { beginOf } from './begins.ts';
import { nameOf } from './levelName.ts';
import type { Plan, Tasks } from './plan.ts';

/** Rows of a replica that its task source gives; a scheme may add more. */
export const sourceRows = ({ B, scheme }: Pick<Plan, 'B' | 'scheme'>): number => B - (scheme?.spare ?? 0);

/** Episodes that the task source gives to a task, where all have as many. */
export const triesOf = (plan: Pick<Plan, 'B' | 'P' | 'scheme'>): number => Math.floor(sourceRows(plan) / plan.P);

/** Sizes of a batch as its task source sees them. */
export const sourceSizes = (plan: Plan): TaskSizes => {
  const { P, levels, stages, growEvery, rungs, deal } = plan;
  return { P, G: triesOf(plan), levels, stages, growEvery, rungs, deal };
};

/** What its task source is told for one replica in a training update. */
export const sourceContext = (plan: Plan, seed: number, update: number): SourceContext => ({
  ...trainingContext(sourceSizes(plan), seed, update),
  world: {
    ...{ env: plan.env, T: plan.T, updates: plan.updates, gamma: Number(plan.estimatorParams['gamma'] ?? 1) },
    level: (levelSeed) => plan.level(levelSeed) as object,
  },
});

/** The scheme of a config: what its objective asks for, or the chosen one. */
export function schemeOf(
  config: Config,
  { id, rows }: Objective,
  rollout: Rollout,
  sizes: { readonly P: number; readonly G: number },
): RolloutScheme | null {
  const settingsOf = (slot: SlotConfig, name: string): AnyValues => slot[name] as AnyValues;
  if (rows) return schemes[rows.origin]!(settingsOf(config.objective, id)[rows.count] as number);
  return schemeWith(rollout, settingsOf(config.rollout, rollout.id), sizes);
}

/** A row that a phase plans, and how many were played before it. */
export type Added = { readonly row: RowPlan; readonly count: number };

/** What a scheme knows of replica s. `memory`: see `RowContext`. */
export function rowContext(plan: Plan, tasks: Tasks, s: number, memory: Tensors | null = null): RowContext {
  const { env, B, T, P, G, seeds, actions } = plan;
  const at = s * B;
  return {
    ...{ env, B, T, P, G, actions, update: tasks.update },
    tasks: tasks.taskIndex.subarray(at, at + sourceRows(plan)),
    memory,
    name: (row) => nameOf(tasks, at + row),
    level: (row) => tasks.levels[tasks.levelOf[at + row]!] as object,
    episodeSeed: (row) => tasks.episodeSeed[at + row]!,
    begins: (row) => beginOf(tasks, at + row),
    draw: (row, n) => uniform(random(seeds[s]!, PURPOSE.branch, tasks.update, row, n)),
  };
}

/**
 * Whether a row that a scheme adds meets the chance of the row that its task is taken from, and not chance of its own: where a
 * group shares it, and in a fork whose world drew something that stands for the whole episode. There it goes on in the
 * world that its parent has read about.
 */
export const keepsChance = ({ commonNoise, env }: Pick<Plan, 'commonNoise' | 'env'>, isFork: boolean): boolean =>
  commonNoise || (isFork && env.asks !== undefined);

/** The task of row i, which a scheme adds to `count` played ones: the level of its task, as a rule with chance of its own. */
export function placeTask(plan: Plan, tasks: Tasks, s: number, i: number, { row, count }: Added): void {
  const { B, seeds } = plan;
  if (i < sourceRows(plan)) return;
  const at = s * B + i;
  // a fork meets the variant of the level that its parent met
  const known = s * B + (row.parent ?? tasks.taskIndex.subarray(s * B, s * B + count).indexOf(row.task));
  tasks.taskIndex[at] = row.task;
  tasks.levelOf[at] = tasks.levelOf[known]!;
  if (tasks.begins) tasks.begins.of[at] = tasks.begins.of[known]!;
  const own = random(seeds[s]!, PURPOSE.episodeSeed, tasks.update, i, 0);
  tasks.episodeSeed[at] =
    row.episodeSeed ?? (keepsChance(plan, row.parent !== undefined) ? tasks.episodeSeed[known]! : own);
}

/** The parent of row i and the step before which it leaves it; its own start where it has none. */
export function branchOf({ row: { parent = -1, branchStep = 0 }, count }: Added, i: number, length: Uint32Array) {
  if (parent < 0) return { parent, branchStep: 0 };
  if (parent >= count || branchStep >= length[parent]!)
    throw new Error(`Row ${i} goes on from step ${branchStep} of row ${parent}, which was not played that far.`);
  return { parent, branchStep };
}

/** A phase adds rows to those that were planned; in the end they must be those of a batch. */
export function checkCount({ B }: Plan, { id }: RolloutScheme, count: number, added: number): void {
  if (count + added > B) throw new Error(`${id} plans more rows than the ${B} of a batch.`);
  if (added === 0 && count < B) throw new Error(`${id} plans ${count} rows for a batch of ${B}.`);
}

/** Rows of the first phase, which are known before anything is played: those of the task source, in their order. */
export function firstRows(
  plan: Plan,
  scheme: RolloutScheme,
  tasks: Tasks,
  s: number,
  memory: Tensors | null = null,
): readonly RowPlan[] {
  const context = rowContext(plan, tasks, s, memory);
  const rows = scheme.first?.(context) ?? Array.from(context.tasks, (task) => ({ task, origin: 'own' as const }));
  const given = tasks.taskIndex.subarray(s * plan.B, s * plan.B + sourceRows(plan));
  if (rows.length !== given.length || rows.some(({ task }, i) => task !== given[i]))
    throw new Error(`The first phase of ${scheme.id} does not give the rows of its task source.`);
  return rows;
}

/** [B, T] action + 1 where it is not the policy that chooses; null where it always does. `from`: number of the first row. */
export function forceActions(
  plan: Pick<Plan, 'T'>,
  rows: readonly RowPlan[],
  forced: Uint32Array,
  from: number = 0,
): Uint32Array {
  rows.forEach(({ actions }, k) => actions?.forEach((action, t) => (forced[(from + k) * plan.T + t] = action + 1)));
  return forced;
}
