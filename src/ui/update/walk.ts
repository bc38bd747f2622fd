import { create } from 'zustand';
import type { Snapshot, WalkCheck, WalkedUpdate } from '../../worker/protocol.ts';
import { newestSnapshot } from '../frames.ts';
import { nullIfGone } from '../owed.ts';
import { lab, walkUpdate } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { look } from '../stores/view.ts';
import { stopsOf } from './stops.ts';

/** Where the person is in an update that is walked through. */
export type WalkState = {
  readonly walk: WalkedUpdate | null;
  /** index into the stops */
  readonly at: number;
  readonly isBusy: boolean;
  /** why there is no walk, in words */
  readonly why: string | null;
  /** after the run has made the update: whether it was the same */
  readonly check: WalkCheck | 'elsewhere' | null;
};

const none: WalkState = { walk: null, at: 0, isBusy: false, why: null, check: null };
export const useWalk = create<WalkState>(() => none);
const set = (state: Partial<WalkState>): void => useWalk.setState(state);

/** What the stage showed before, to go back to. */
let before: Snapshot | null = null;
/** Run and update that the walk belongs to. */
let name = '';
const nameNow = (): string => `${useRun.getState().run} ${useRun.getState().update}`;

/** Works the next update out and shows its batch on the stage. */
export async function begin(): Promise<void> {
  set({ ...none, isBusy: true });
  try {
    const answer = await walkUpdate();
    if (!answer.ok) return set({ isBusy: false, why: answer.why });
    before = newestSnapshot.get();
    name = nameNow();
    const { walk } = answer;
    set({ walk, isBusy: false });
    look({ isFollowing: true, trajectory: 0, step: 0, part: 'total' });
    newestSnapshot.set({ ...walk.snapshot, history: before?.history ?? walk.snapshot.history });
  } catch {
    set({ isBusy: false, why: 'The update could not be computed. Reset the run and try again.' });
  }
}

export function go(to: number): void {
  const { walk } = useWalk.getState();
  if (walk) set({ at: Math.max(0, Math.min(stopsOf(walk).length - 1, to)) });
}

/** The next slot; after the last one the run makes the update. */
export function next(): void {
  const { walk, at, isBusy, check } = useWalk.getState();
  if (!walk || isBusy || check) return;
  if (at + 1 < stopsOf(walk).length) go(at + 1);
  else void finish();
}

/** The run makes the update that was shown. */
export async function finish(): Promise<void> {
  const { walk, isBusy, check } = useWalk.getState();
  if (!walk || isBusy || check) return;
  set({ isBusy: true, at: stopsOf(walk).length - 1 });
  const found = await lab().finishWalk().catch(nullIfGone);
  set({ isBusy: false, check: found ?? 'elsewhere' });
}

/** Back to what was shown before; nothing has happened to the run. */
export function leave(): void {
  const { walk, check } = useWalk.getState();
  if (walk && !check && newestSnapshot.get()?.update === walk.snapshot.update) newestSnapshot.set(before);
  useWalk.setState(none);
}

// A run that continues by itself has left the walk behind.
useRun.subscribe(() => {
  const { walk, isBusy, check } = useWalk.getState();
  if (walk && !isBusy && !check && nameNow() !== name)
    useWalk.setState({ ...none, why: 'The run has continued, so this view is over.' });
});
