import type { PageRun } from '../lab/runs/pageRun.ts';
import { open } from './database.ts';
import { deleteParts, runsOfParts } from './curveParts.ts';
import { deleteSlots, slotIds } from './files.ts';
import { ownedIds } from './locks.ts';
import { allMarks, deleteMarks, firstMarksToGo } from './marks.ts';
import { allPageRuns, changePageRun } from './pageRuns.ts';

/** The run whose checkpoint goes first: of those that are over and no tab has open, the oldest; null: there is none. */
export function firstToGo(runs: readonly PageRun[], owned: ReadonlySet<string>): PageRun | null {
  const over = runs.filter(({ id, state, bytes, isOpen }) => {
    const isOver = state === 'finished' || state === 'stopped' || state === 'failed';
    return bytes > 0 && isOver && !isOpen && !owned.has(id);
  });
  return over.reduce<PageRun | null>((first, run) => (first && first.changedAt <= run.changedAt ? first : run), null);
}

/** Deletes the checkpoint that goes first, and keeps records and curves; how many have gone, or null: there is none. */
export async function makeRoom(forRun: string): Promise<number | null> {
  const runs = await allPageRuns();
  const first = firstToGo(
    runs.filter(({ id }) => id !== forRun),
    await ownedIds(),
  );
  if (!first) return null;
  await deleteSlots(first.id);
  await changePageRun(first.id, { bytes: 0 });
  return 1;
}

/** Deletes the marks that go first, of one run that no tab has open; how many bytes have gone, 0: there are none. */
export async function makeMarkRoom(forRun: string): Promise<number> {
  const [marks, owned] = [await allMarks(), await ownedIds()];
  const first = firstMarksToGo(marks, new Set([...owned, forRun]));
  if (first === null) return 0;
  await deleteMarks(first);
  return marks.reduce((sum, { run, bytes }) => (run === first ? sum + bytes : sum), 0);
}

/** Runs whose records a person has deleted, by what is left of them: no tab has them open, and nothing of them is put aside. */
export function deletedOf(runs: readonly PageRun[], there: ReadonlySet<string>, owned: ReadonlySet<string>): PageRun[] {
  return runs.filter(({ id, ids }) => !owned.has(id) && !ids.some((each) => there.has(each)));
}

/** Frees the room of runs that were deleted from the table; only when the next page starts, since deleting can be undone. */
export async function clearDeleted(): Promise<void> {
  if (!navigator.locks) return; // nobody could say which runs are open
  const database = await open();
  // what begins from here on is not among them
  const files = await slotIds();
  const owned = await ownedIds();
  const [runs, kept, aside] = await Promise.all([
    allPageRuns(),
    database.getAllKeys('runs'),
    database.getAllKeys('aside'),
  ]);
  const there = new Set([...kept, ...aside.map((key) => String(key).replace(/^runs /, ''))]);
  const deleted = deletedOf(runs, there, owned);
  for (const { id } of deleted) await database.delete('pageRuns', id);
  const left = new Set(runs.filter((run) => !deleted.includes(run)).map(({ id }) => id));
  const marked = new Set((await allMarks()).map(({ run }) => run));
  for (const id of marked) if (!left.has(id) && !owned.has(id)) await deleteMarks(id);
  for (const id of await runsOfParts()) if (!left.has(id) && !owned.has(id)) await deleteParts(id);
  for (const id of files) {
    if (left.has(id) || owned.has(id)) continue;
    const run = await database.get('runs', id);
    // of a comparison: it continues there, unless it is over
    const isNeeded = run ? run.state !== 'finished' : there.has(id);
    if (!isNeeded) await deleteSlots(id);
  }
}
