import type { RunCurves, RunRecord } from '../lab/runs/record.ts';
import type { KeptSweep } from '../lab/runs/sweep.ts';
import { wholeCurves } from './curveParts.ts';
import { open } from './database.ts';

/** All kept runs, without their curves: a thousand of them are some megabytes. */
export async function allRuns(): Promise<RunRecord[]> {
  return (await open()).getAll('runs');
}

/** At most so many runs in the order of their ids, those after `id`: all of them, read without one long task. */
export async function runsAfter(id: string, most: number): Promise<RunRecord[]> {
  return (await open()).getAll('runs', id === '' ? null : IDBKeyRange.lowerBound(id, true), most);
}

/** Those of these runs that are still kept. */
export async function runsWith(ids: readonly string[]): Promise<RunRecord[]> {
  const { store } = (await open()).transaction('runs');
  const found = await Promise.all(ids.map((id) => store.get(id)));
  return found.filter((run) => run !== undefined);
}

export async function runsOf(batch: string): Promise<RunRecord[]> {
  return (await open()).getAllFromIndex('runs', 'batch', batch);
}

/** Every update of a run. */
export async function curvesOf(id: string): Promise<RunCurves | undefined> {
  const found = await (await open()).get('curves', id);
  return found && wholeCurves(found);
}

/** Runs and their curves appear together or not at all. */
export async function keepRuns(runs: readonly RunRecord[], curves: readonly RunCurves[] = []): Promise<void> {
  const writing = (await open()).transaction(['runs', 'curves'], 'readwrite', { durability: 'strict' });
  const acts = [
    ...runs.map((run) => writing.objectStore('runs').put(run)),
    ...curves.map((part) => writing.objectStore('curves').put(part)),
  ];
  await Promise.all([...acts, writing.done]);
  tell(runs.map(({ id }) => id));
}

/**
 * Newer states of runs that are kept: what a person has written on them stays, and what was deleted stays deleted. The
 * ids of those that are still there.
 */
export async function refreshRuns(runs: readonly RunRecord[], curves: readonly RunCurves[]): Promise<string[]> {
  const writing = (await open()).transaction(['runs', 'curves'], 'readwrite');
  const [kept, drawn] = [writing.objectStore('runs'), writing.objectStore('curves')];
  const found: string[] = [];
  for (const [k, run] of runs.entries()) {
    const before = await kept.get(run.id);
    if (!before) continue;
    const { title, tags, note, isPinned } = before;
    found.push(run.id);
    await kept.put({ ...run, title, tags, note, isPinned });
    if (curves[k]) await drawn.put(curves[k]);
  }
  await writing.done;
  tell(found);
  return found;
}

/** What a person writes on a run; what it trained is never changed by hand. */
export type Labels = Pick<RunRecord, 'title' | 'tags' | 'note' | 'isPinned'>;

/** Changes title, tags, note or pin of runs; `labels` gives what changes of one. */
export async function relabel(ids: readonly string[], labels: (run: RunRecord) => Partial<Labels>): Promise<void> {
  const writing = (await open()).transaction('runs', 'readwrite');
  for (const id of ids) {
    const run = await writing.store.get(id);
    if (run) void writing.store.put({ ...run, ...labels(run), changedAt: Date.now() });
  }
  await writing.done;
  tell(ids);
}

/** So many are deleted before the page may do something else. */
const AT_ONCE = 64;

export async function deleteRuns(ids: readonly string[]): Promise<void> {
  const writing = (await open()).transaction(['runs', 'curves'], 'readwrite');
  for (const [k, id] of ids.entries()) {
    void writing.objectStore('runs').delete(id);
    const deleted = writing.objectStore('curves').delete(id);
    if (k % AT_ONCE === AT_ONCE - 1) await deleted;
  }
  await writing.done;
  tell(ids);
}

export async function allSweeps(): Promise<KeptSweep[]> {
  return (await open()).getAll('sweeps');
}

export async function keepSweep(sweep: KeptSweep): Promise<void> {
  await (await open()).put('sweeps', sweep);
  tell();
}

/** A sweep appears with all its runs, or not at all. */
export async function beginSweep(sweep: KeptSweep, runs: readonly RunRecord[]): Promise<void> {
  const writing = (await open()).transaction(['runs', 'sweeps'], 'readwrite', { durability: 'strict' });
  const acts = [writing.objectStore('sweeps').put(sweep), ...runs.map((run) => writing.objectStore('runs').put(run))];
  await Promise.all([...acts, writing.done]);
  tell();
}

export async function deleteSweep(id: string): Promise<void> {
  await (await open()).delete('sweeps', id);
  tell();
}

const CHANNEL = 'horizon-lab-runs';
let channel: BroadcastChannel | null = null;
type Heard = (runs: readonly string[]) => void;
const heard = new Set<Heard>();

/** @param runs ids of those that have changed; none: something else has, such as a sweep */
function tell(runs: readonly string[] = []): void {
  for (const act of heard) act(runs);
  (channel ??= opened()).postMessage(runs);
}

function opened(): BroadcastChannel {
  const made = new BroadcastChannel(CHANNEL);
  made.onmessage = ({ data }: MessageEvent<readonly string[]>) => heard.forEach((each) => each(data));
  return made;
}

/**
 * `act` is called after every change of runs or sweeps, in this tab, its workers, or another one, with the ids of the
 * runs. Returns the way out.
 */
export function onRuns(act: Heard): () => void {
  channel ??= opened();
  heard.add(act);
  return () => void heard.delete(act);
}
