import type { RowPlan } from '../contract/rows.ts';
import { PURPOSE, random, uniform } from '../core/random.ts';
import type { RolloutScheme, RowContext, RowsSeen } from '../slots/rollout/types.ts';
import type { Plan, Tasks } from './plan.ts';

/** Rows of a replica that its task source gives; a scheme may add more. */
export const sourceRows = ({ B, scheme }: Pick<Plan, 'B' | 'scheme'>): number => B - (scheme?.spare ?? 0);

/** A row that a phase plans, and how many were played before it. */
export type Added = { readonly row: RowPlan; readonly count: number };

/** What a scheme knows of replica s. */
export function rowContext(plan: Plan, tasks: Tasks, s: number): RowContext {
  const { env, B, T, G, seeds } = plan;
  const at = s * B;
  return {
    ...{ env, B, T, G },
    tasks: tasks.taskIndex.subarray(at, at + sourceRows(plan)),
    level: (row) => tasks.levels[tasks.levelOf[at + row]!] as object,
    episodeSeed: (row) => tasks.episodeSeed[at + row]!,
    draw: (row, n) => uniform(random(seeds[s]!, PURPOSE.branch, tasks.update, row, n)),
  };
}

/** The task of row i, which a scheme adds to `count` played ones: the level of its task with chance of its own. */
export function placeTask(plan: Plan, tasks: Tasks, s: number, i: number, { row, count }: Added): void {
  const { B, seeds } = plan;
  if (i < sourceRows(plan)) return;
  const at = s * B + i;
  const known = s * B + tasks.taskIndex.subarray(s * B, s * B + count).indexOf(row.task);
  tasks.taskIndex[at] = row.task;
  tasks.levelOf[at] = tasks.levelOf[known]!;
  tasks.episodeSeed[at] = random(seeds[s]!, PURPOSE.episodeSeed, tasks.update, i, 0);
}

/** The parent of row i and the step before which it leaves it; its own start where it has none. */
export function branchOf({ row: { parent = -1, branchStep = 0 }, count }: Added, i: number, length: Uint32Array) {
  if (parent < 0) return { parent, branchStep: 0 };
  if (parent >= count || branchStep >= length[parent]!)
    throw new Error(`Row ${i} goes on from step ${branchStep} of row ${parent}, which was not played that far.`);
  return { parent, branchStep };
}

/** Rows of one phase after another; they must be those of a batch in the end. */
export function checkCount({ B }: Plan, { id }: RolloutScheme, count: number, isLast: boolean): void {
  if (count > B) throw new Error(`${id} plans more rows than the ${B} of a batch.`);
  if (isLast && count !== B) throw new Error(`${id} plans ${count} rows for a batch of ${B}.`);
}

const NOTHING: RowsSeen = {
  ...{ count: 0, length: new Uint32Array(0), taskIndex: new Uint32Array(0), success: new Uint32Array(0) },
  ...{ outcome: new Float32Array(0), entropy: new Float32Array(0), stateKey: new Uint32Array(0) },
};

/** Rows of the first phase, which are known before anything is played: those of the task source, in their order. */
export function firstRows(plan: Plan, scheme: RolloutScheme, tasks: Tasks, s: number): readonly RowPlan[] {
  const rows = scheme.phases[0]!(rowContext(plan, tasks, s), NOTHING);
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
