import { create } from 'zustand';
import type { KeptSweep } from '../../lab/runs/sweep.ts';
import { lockOf } from '../../lab/runs/pageRun.ts';
import { runsOfSweep, type SweepRuns } from '../../lab/runs/ofSweep.ts';
import type { Description } from '../../lab/sweep/description.ts';
import type { Sweep } from '../../lab/sweep/expand.ts';
import { allSweeps, beginSweep, keepSweep, onRuns, refreshRuns, runsOf } from '../../store/runs.ts';
import { own, ownedIds, type Owned } from '../../store/locks.ts';
import { lanesHere, startLane, statusOf, Sweeping, type SweepStatus } from './client.ts';

/** The sweep that this page shows: the one that trains here, or the newest that is not finished. */
type Shown = {
  readonly status: SweepStatus | null;
  /** who trains it: this tab, another one, or nobody */
  readonly owner: 'here' | 'elsewhere' | 'nobody';
  /** why it could not be begun or continued */
  readonly trouble: string | null;
};

export const useSweep = create<Shown>(() => ({ status: null, owner: 'nobody', trouble: null }));

/** One tab trains sweeps at a time: the cores are there only once. A tab that ends lets go of them a moment later. */
export const SWEEPS = 'sweeps';
const RELEASE_MS = 2000;
let owned: Owned | null = null;
/** of the sweep itself: who deletes everything leaves it alone */
let ownedSweep: Owned | null = null;
let sweeping: Sweeping | null = null;

async function ownSweeps(): Promise<void> {
  owned ??= await own(SWEEPS, RELEASE_MS);
  if (!owned) throw new Error(BUSY);
}

function disown(): void {
  sweeping = null;
  for (const each of [owned, ownedSweep]) each?.release();
  owned = ownedSweep = null;
}

async function ownSweep(id: string): Promise<void> {
  ownedSweep?.release();
  ownedSweep = await own(id, RELEASE_MS);
}

const isOpen = ({ state }: Pick<KeptSweep, 'state'>): boolean => state === 'running' || state === 'paused';

function take(status: SweepStatus): void {
  useSweep.setState({ status, owner: isOpen(status) ? 'here' : 'nobody' });
  // ended by itself or by the person: another tab may train the next one
  if (!isOpen(status)) disown();
}

const sweepOf = (found: SweepRuns): Sweeping =>
  new Sweeping(found, { startLane, lanes: lanesHere(), keepSweep, keepRuns: refreshRuns, changed: take });

async function train(found: SweepRuns): Promise<void> {
  sweeping = sweepOf(found);
  await (isOpen(found.kept) ? sweeping.resume() : sweeping.reopen());
}

/** Tells why something could not be done; what is kept of a sweep is never touched by that. */
async function attempt(act: () => Promise<void>): Promise<boolean> {
  useSweep.setState({ trouble: null });
  try {
    await act();
    return true;
  } catch (error) {
    useSweep.setState({ trouble: error instanceof Error ? error.message : String(error) });
    return false;
  }
}

const BUSY = 'A comparison trains in another tab. Pause or cancel it there first.';
const NO_STORAGE = 'This browser keeps nothing for this page, so results would be lost: comparisons cannot be trained.';

/** Keeps a sweep with all its runs and trains it. False, with the trouble in the store, where that cannot be. */
export function begin(sweep: Sweep, description: Description, title: string): Promise<boolean> {
  return attempt(async () => {
    await ownSweeps();
    sweeping?.drop();
    const id = crypto.randomUUID().slice(0, 8);
    await ownSweep(id);
    const found = await runsOfSweep(sweep, { id, title, description }, Date.now());
    await beginSweep(found.kept, found.runs).catch(() => {
      disown();
      throw new Error(NO_STORAGE);
    });
    await train(found);
  });
}

/** Goes on with a sweep that is kept: after a reload, a crash, a visit of yesterday, or where it was cancelled. */
export function goOn(id: string): Promise<boolean> {
  return attempt(async () => {
    if (sweeping?.status().id === id) return sweeping.resume();
    await ownSweeps();
    await ownSweep(id);
    await train(await keptSweep(id));
  });
}

async function keptSweep(id: string): Promise<SweepRuns> {
  const kept = (await allSweeps()).find((sweep) => sweep.id === id);
  if (!kept) throw new Error('This comparison has been deleted.');
  return { kept, runs: await runsOf(id) };
}

/** What is not finished of a sweep on WebGPU trains on the CPU path, from its beginning. */
export function finishOnCpu(id: string): Promise<boolean> {
  return attempt(async () => {
    if (sweeping?.status().id === id) return sweeping.finishOnCpu();
    await ownSweeps();
    await ownSweep(id);
    sweeping = sweepOf(await keptSweep(id));
    await sweeping.finishOnCpu();
  });
}

/** What is done to the sweep that trains here. */
export const command = (act: (now: Sweeping) => Promise<void>): Promise<boolean> =>
  attempt(async () => {
    if (sweeping) await act(sweeping);
  });

/** Runs that failed train once more, also when the sweep is over. */
export function retry(id: string): Promise<boolean> {
  return attempt(async () => {
    if (!sweeping) {
      await ownSweeps();
      await ownSweep(id);
      sweeping = sweepOf(await keptSweep(id));
    }
    await sweeping.trainFailed();
  });
}

/** Looks for the newest sweep that is not finished, as far as this tab does not train one itself. */
async function watch(): Promise<void> {
  if (sweeping) return;
  const open = (await allSweeps()).filter(isOpen).sort((a, b) => b.startedAt - a.startedAt);
  const shown = useSweep.getState().status;
  const kept = open.find(({ id }) => id === shown?.id) ?? open[0];
  if (!kept || sweeping) {
    // it has ended elsewhere, or was deleted
    if (shown && isOpen(shown) && !sweeping) useSweep.setState({ status: null, owner: 'nobody' });
    return;
  }
  const runs = await runsOf(kept.id);
  const owner = (await ownedIds()).has(SWEEPS) ? 'elsewhere' : 'nobody';
  if (sweeping) return;
  useSweep.setState({ status: statusOf(kept, runs), owner });
  if (owner === 'elsewhere') void lookWhenFree();
}

let isWaiting = false;

/** The other tab ends, or is done: then nobody trains it, and this tab may. */
async function lookWhenFree(): Promise<void> {
  if (isWaiting || !navigator.locks) return;
  isWaiting = true;
  await navigator.locks.request(lockOf(SWEEPS), () => undefined).catch(() => undefined);
  isWaiting = false;
  await lookAgain();
}

let isWatching = false;
let again = false;

/** One look at a time, and one more if something has changed meanwhile. Without storage there is nothing to see. */
async function lookAgain(): Promise<void> {
  if (isWatching) {
    again = true;
    return;
  }
  isWatching = true;
  await watch().catch(() => undefined);
  isWatching = false;
  if (!again) return;
  again = false;
  await lookAgain();
}

/** Follows what is kept, here and in other tabs. Returns the way out. */
export function follow(): () => void {
  void lookAgain();
  return onRuns(() => void lookAgain());
}

/** The finished sweep needs no line any more. */
export const dismiss = (): void => useSweep.setState({ status: null, trouble: null });
