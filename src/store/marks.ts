import { open, type KeptMark } from './database.ts';

/** As many bytes as the marks of all runs together may take; above that, those of the oldest run go. */
export const MOST_MARK_BYTES = 256 * 1024 * 1024;

const ofRun = (run: string): IDBKeyRange => IDBKeyRange.bound([run], [run, []]);

/** What is said of the marks of all runs; their bytes stay where they are. */
export async function allMarks(): Promise<KeptMark[]> {
  return (await open()).getAll('marks');
}

/** Those of one run, the earliest first. */
export async function marksOf(run: string): Promise<KeptMark[]> {
  return (await open()).getAll('marks', ofRun(run));
}

export async function bytesOfMark({ run, update }: KeptMark): Promise<Uint8Array<ArrayBuffer>> {
  return (await (await open()).get('markStates', [run, update])) ?? new Uint8Array();
}

/** Keeps one, whole or not at all; without `state` only what is said of it changes. Rejects where there is no room. */
export async function keepMark(mark: KeptMark, state?: Uint8Array<ArrayBuffer>): Promise<void> {
  const writing = (await open()).transaction(['marks', 'markStates'], 'readwrite');
  const acts: Promise<unknown>[] = [];
  if (state) acts.push(writing.objectStore('markStates').put(state, [mark.run, mark.update]));
  await Promise.all([...acts, writing.objectStore('marks').put(mark), writing.done]);
}

/** Deletes those before these updates, or all of a run. */
export async function deleteMarks(run: string, updates?: readonly number[]): Promise<void> {
  const writing = (await open()).transaction(['marks', 'markStates'], 'readwrite');
  const ranges = updates ? updates.map((update) => IDBKeyRange.only([run, update])) : [ofRun(run)];
  const acts = ranges.flatMap((range) => [
    writing.objectStore('marks').delete(range),
    writing.objectStore('markStates').delete(range),
  ]);
  await Promise.all([...acts, writing.done]);
}

/** The run whose marks go first: of those that nobody has open, the one that has not changed for longest; null: there is none. */
export function firstMarksToGo(marks: readonly KeptMark[], spared: ReadonlySet<string>): string | null {
  const newest = new Map<string, number>();
  for (const { run, changedAt } of marks)
    if (!spared.has(run)) newest.set(run, Math.max(changedAt, newest.get(run) ?? 0));
  return [...newest].reduce<[string, number] | null>((a, b) => (a && a[1] <= b[1] ? a : b), null)?.[0] ?? null;
}
