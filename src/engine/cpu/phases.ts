import { columnNames, columnOf, part, type Columns } from '../../contract/columns.ts';
import type { ColumnPer } from '../../contract/columnTable.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { columnsOfRow, ROW_COLUMNS, type RowPlan } from '../../contract/rows.ts';
import type { RolloutScheme, RowsSeen } from '../../slots/rollout/types.ts';
import { branchOf, checkCount, firstRows, forceActions, placeTask, rowContext } from '../plannedRows.ts';
import type { Waiting } from '../waiting.ts';
import { resetRow, type Play } from './lockstep.ts';

/** Plays rows from `first` on that stand where they begin, each to its end. */
type PlayPlaced = (first: number, begins: readonly number[]) => Waiting<boolean>;

/** Plays the phases of a scheme one after the other. False if the network gave a number that is not finite. */
export function* playPhases(play: Play, scheme: RolloutScheme, playPlaced: PlayPlaced): Waiting<boolean> {
  const { plan, tasks, s } = play;
  const { B } = plan;
  const context = rowContext(plan, tasks, s, play.memory);
  let finite = true;
  let planned = firstRows(plan, scheme, tasks, s, play.memory);
  for (let count = 0; ;) {
    checkCount(plan, scheme, count, planned.length);
    const begins: number[] = [];
    for (const row of planned) begins.push(place(play, count + begins.length, row, count));
    forceActions(plan, planned, play.forced!, count);
    if (!(yield* playPlaced(s * B + count, begins))) finite = false;
    count += planned.length;
    if (count === B) return finite;
    planned = scheme.next?.(seenOf(play, scheme, count), context) ?? [];
  }
}

/** Prepares row i of a replica, `count` of whose rows have been played; the step that it begins with. */
function place(play: Play, i: number, row: RowPlan, count: number): number {
  const { plan, arrays, tasks, s } = play;
  const { B } = plan;
  const at = s * B + i;
  for (const name of ROW_COLUMNS) arrays[name][at] = columnsOfRow(row)[name];
  placeTask(plan, tasks, s, i, { row, count });
  play.without![i] = row.without ?? 0;
  play.likely![i] = row.likely ?? 0;
  resetRow(play, at);
  const { parent, branchStep } = branchOf({ row, count }, i, part(arrays.length, plan.S, s));
  if (arrays.branchParent.length > 0) [arrays.branchParent[at], arrays.branchStep[at]] = [parent, branchStep];
  if (parent < 0) return 0;
  copyPrefix(play, s * B + parent, at, branchStep);
  return branchStep;
}

const PER_STEP: readonly ColumnPer[] = ['step', 'unit', 'decision', 'stepAndEnd'];

/** Stores the first steps of a row again in another one: every column of steps and units, and the state it goes on from. */
function copyPrefix({ plan, arrays, s, came }: Play, from: number, to: number, steps: number): void {
  const { B, T, S } = plan;
  for (const name of columnNames) {
    const { per } = columnOf(name);
    const column: Columns[typeof name] = arrays[name];
    if (column.length === 0 || !PER_STEP.includes(per)) continue;
    const entries = per === 'stepAndEnd' ? T + 1 : T;
    const width = column.length / (S * B * entries);
    const n = (per === 'stepAndEnd' ? steps + 1 : steps) * width;
    column.copyWithin(to * entries * width, from * entries * width, from * entries * width + n);
  }
  if (!came) return;
  // a wrapper settles the rewards of the child as a whole
  const own = came.subarray((from - s * B) * T, (from - s * B) * T + steps);
  came.set(own, (to - s * B) * T);
  arrays.rewardMilli.set(own, to * T);
}

/** What a scheme needs of the columns of a replica, as they are. */
export function seenOf({ plan, arrays, s }: Play, { needs = [] }: RolloutScheme, count: number): RowsSeen {
  const columns = needs.map((name) => [name, part<NumberArray>(arrays[name], plan.S, s)] as const);
  return { count, ...Object.fromEntries(columns) } as RowsSeen; // a scheme looks at what it needs alone
}
