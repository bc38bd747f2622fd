import { originOf } from '../../contract/rows.ts';
import { nodeValues, ownerHeads } from '../../slots/advantage/forkTree.ts';
import type { Snapshot } from '../snapshotTypes.ts';

type Searched = Pick<Snapshot, 'B' | 'T' | 'length' | 'taskIndex' | 'success' | 'entropy' | 'origin' | 'forks'>;

/** What a search found out about the states of a task, for people. */
export type SearchView = {
  readonly isChosen: ReadonlySet<number>;
  /** of the state before step t of an episode: the mean that was backed up, and how often; null where nothing was */
  at(row: number, t: number): { readonly q: number; readonly visits: number } | null;
};

const SEARCH = originOf('search');
export const REPLAY = originOf('replay');

/** The search of a task; null where no episode of it was planned by one. */
export function searchOf(batch: Searched, task: number): SearchView | null {
  const rows = Array.from({ length: batch.B }, (_, i) => i).filter((i) => batch.taskIndex[i] === task);
  const { forks, T } = batch;
  if (!forks || !rows.some((i) => batch.origin[i] === SEARCH)) return null;
  const tree = { ...batch, branchParent: forks.parent, branchStep: forks.step };
  const owner = ownerHeads(tree);
  const { chosen, value, visits } = nodeValues(tree, rows, owner);
  return {
    isChosen: new Set(chosen),
    at(row, t) {
      const node = t === 0 ? undefined : owner[row * T + t - 1];
      const count = node === undefined ? 0 : (visits.get(node) ?? 0);
      return count === 0 ? null : { q: value.get(node!)! / count, visits: count };
    },
  };
}
