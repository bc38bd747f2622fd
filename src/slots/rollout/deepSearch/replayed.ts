import type { RowPlan } from '../../../contract/rows.ts';
import type { Tensors } from '../../../contract/state.ts';
import type { LevelName } from '../../../contract/tasks.ts';
import { beginsAt, storedIn, type Stored } from '../again/episodeStore.ts';
import { placeKey } from '../again/storedTask.ts';
import type { RowContext } from '../types.ts';

/** Where a task begins: its level, and the saved state of it or null. */
export type Place = { readonly name: LevelName; readonly begins: ArrayLike<number> | null };

/** The stored solutions of a task, in the order of their places. */
export function solutionsOf(memory: Tensors, place: Place): readonly Stored[] {
  const key = placeKey(place);
  return storedIn(memory).filter((one) => placeKey({ name: one, begins: beginsAt(memory, one.slot) }) === key);
}

type Knows = Pick<RowContext, 'memory' | 'name' | 'begins' | 'G' | 'T'>;

/**
 * What plays the rest of a task with stored solutions: these, up to the share of the group that is hard, and episodes from
 * the start. Null: nothing is stored, so it is searched.
 */
export function replayed(
  { memory, name, begins, G, T }: Knows,
  task: number,
  rows: readonly number[],
  { cache, hardUpTo }: { readonly cache: number; readonly hardUpTo: number },
): readonly RowPlan[] | null {
  const [first] = rows;
  if (!memory || cache === 0 || first === undefined) return null;
  const most = Math.max(1, Math.floor(hardUpTo * G));
  const stored = solutionsOf(memory, { name: name(first), begins: begins(first) }).slice(0, most);
  if (stored.length === 0) return null;
  return Array.from({ length: G - rows.length }, (_, k): RowPlan => {
    const solution = stored[k];
    if (!solution) return { task, origin: 'late' };
    const { slot, length, episodeSeed } = solution;
    const actions = Array.from(memory['actions']!.subarray(slot * T, slot * T + length));
    return { task, origin: 'replay', episodeSeed, actions };
  });
}
