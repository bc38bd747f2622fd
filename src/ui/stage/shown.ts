import { useSyncExternalStore } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { newestSnapshot } from '../frames.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { isStillNow } from '../useTheme.ts';

/**
 * Which batch the stage, the strips and the list show. They always show the same one:
 * `held`: a person chose a step, so its batch stays until following is switched on again;
 * `playing`: an episode of the batch is being played while training continues; the next one is taken at its end;
 * `live`: always the newest.
 */
export type Mode = 'held' | 'playing' | 'live';

/** Batch to show next. Another seed, another run or nothing at all replaces every batch at once. */
export function nextShown(shown: Snapshot | null, newest: Snapshot | null, mode: Mode): Snapshot | null {
  const isAnother = !shown || !newest || shown.replica !== newest.replica || newest.update < shown.update;
  return isAnother || mode === 'live' ? newest : shown;
}

/** True while episodes play one after the other because training runs and is followed. */
function isPlayingLive(): boolean {
  return useView.getState().isFollowing && useRun.getState().state === 'running' && !isStillNow();
}

/** Episodes are walked through, step by step; false where batches come too fast for that: then each shows a whole way. */
let isWalking = true;

let shown: Snapshot | null = null;

function get(): Snapshot | null {
  const mode = !useView.getState().isFollowing ? 'held' : isWalking && isPlayingLive() ? 'playing' : 'live';
  shown = nextShown(shown, newestSnapshot.get(), mode);
  return shown;
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const others = [newestSnapshot.subscribe(listener), useView.subscribe(listener), useRun.subscribe(listener)];
  return () => {
    listeners.delete(listener);
    for (const leave of others) leave();
  };
}

/** The batch on the screen, for event handlers. */
export const shownNow = get;

export function setWalking(walks: boolean): void {
  isWalking = walks;
}

/** Puts a batch on the screen now: the newest one between two episodes, or the one whose strip is pointed at. */
export function showBatch(batch: Snapshot): void {
  shown = batch;
  for (const listener of listeners) listener();
}

/** The batch on the screen. */
export const useShown = (): Snapshot | null => useSyncExternalStore(subscribe, get);
