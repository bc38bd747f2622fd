import { readDraft } from '../../config/migrations.ts';
import type { Config } from '../../config/slots.ts';
import { lockOf, type PageRun } from '../../lab/runs/pageRun.ts';
import { ownedIds } from '../../store/locks.ts';
import { checkRecords } from '../../store/checkRecords.ts';
import { clearDeleted } from '../../store/room.ts';
import { allPageRuns, changePageRun, pageRun } from '../../store/pageRuns.ts';
import { refreshRuns, runsWith } from '../../store/runs.ts';
import { comeIn, lab, reset } from '../session.ts';
import { setConfig } from '../stores/draft.ts';
import { dismissKind, report, useRun } from '../stores/run.ts';
import { watchDrafts } from './tabDrafts.ts';

/** What this tab trained last: with several runs that a crash has left, a tab offers its own. */
const OWN = 'horizon-lab-run';
/** The page of before may still be going when this one comes. */
const GOING_MS = 5000;

/** Of the runs that pages have left open and no tab holds: that of this tab, or else the newest. */
export function leftOf(runs: readonly PageRun[], owned: ReadonlySet<string>, own: string | null): PageRun | null {
  const left = runs.filter(({ id, isOpen, bytes }) => isOpen && bytes > 0 && !owned.has(id));
  const newest = left.reduce<PageRun | null>((a, b) => (a && a.changedAt >= b.changedAt ? a : b), null);
  return left.find(({ id }) => id === own) ?? newest;
}

function ownRun(): string | null {
  try {
    return sessionStorage.getItem(OWN);
  } catch {
    return null;
  }
}

/** Until whoever held the run of this tab has let it go: the page of before, or a tab that is its copy. */
async function untilGone(id: string): Promise<void> {
  const signal = AbortSignal.timeout(GOING_MS);
  await navigator.locks?.request(lockOf(id), { signal }, () => undefined).catch(() => undefined);
}

/** What happens to what is kept, while this page is open. */
export async function watchStorage(): Promise<void> {
  const putAside = await checkRecords();
  if (putAside) report({ kind: 'recordsRejected', ...putAside });
  await Promise.all([watchRuns(), watchDrafts()]);
  await settle(); // the page of before is gone now
  await clearDeleted();
}

/**
 * A run whose page has died does not train any more, whatever its records say. What it takes to continue it still says
 * that it trained: who resumes it goes on at once.
 */
async function settle(): Promise<void> {
  if (!navigator.locks) return; // nobody could say which runs train
  const owned = await ownedIds();
  for (const { id, ids, state } of await allPageRuns()) {
    if (state !== 'running' || owned.has(id)) continue;
    const records = (await runsWith(ids)).filter((run) => run.state === 'running');
    await refreshRuns(
      records.map((run) => ({ ...run, state: 'paused' })),
      [],
    );
  }
}

/** Says which run the last page has left, and notes from now on which one this tab trains. */
async function watchRuns(): Promise<void> {
  const own = ownRun();
  useRun.subscribe(({ id, update }, before) => {
    if (update === 0 || (id === before.id && before.update > 0)) return;
    // asked when there is something to keep; browsers that ask a person ask once
    void navigator.storage?.persist?.().catch(() => false);
    try {
      sessionStorage.setItem(OWN, id);
    } catch {
      // without storage nothing is left behind
    }
  });
  addEventListener('beforeunload', (event) => {
    const { state, problems } = useRun.getState();
    const isLost = problems.some(({ kind }) => kind === 'runNotKept');
    if (isLost && (state === 'running' || state === 'paused')) event.preventDefault();
  });
  if (own !== null) await untilGone(own);
  const left = leftOf(await allPageRuns(), await ownedIds(), own);
  if (left && useRun.getState().update === 0)
    report({ kind: 'runLost', id: left.id, update: left.update, updates: left.updates });
}

/** The run continues here, and goes on training if it did when its page went. */
export async function resumeLeft(id: string): Promise<void> {
  dismissKind('runLost');
  const fetch = async () => {
    const answer = await lab().resume(id);
    if (answer.ok) return answer;
    report('why' in answer ? { kind: 'runRefused', why: answer.why } : (answer.problem ?? { kind: 'workerSilent' }));
    return null;
  };
  await comeIn(fetch, ({ damage, update, trainedOn, now, isRunning }) => {
    if (damage !== null) report({ kind: 'checkpointDamaged', why: damage, update });
    if (trainedOn !== 'both' && now !== trainedOn) report({ kind: 'backendChanged', update, backend: now });
    return isRunning;
  });
}

/** The settings of a run are on the screen, at its start; it stays in the list of runs as far as it came. */
export async function startOver(id: string): Promise<void> {
  const config = await configOf(id);
  await forgetLeft(id);
  dismissKind('runLost');
  if (config) setConfig(config);
  await reset();
}

async function configOf(id: string): Promise<Config | null> {
  const run = await pageRun(id);
  const read = run ? readDraft(run.saved) : null;
  return read?.ok ? read.value : null;
}

/** It is not offered again. */
export function forgetLeft(id: string): Promise<void> {
  return changePageRun(id, { isOpen: false, state: 'paused' });
}
