import { create } from 'zustand';
import type { Mark, Snapshot } from '../../worker/protocol.ts';
import { newRunScale, runScale } from '../credit/runScale.ts';
import { newestSnapshot } from '../frames.ts';

/** What is kept of the run, and where in it the person looks. */
export type TimelineView = {
  readonly marks: readonly Mark[];
  /** the update that is looked at; null: now */
  readonly past: number | null;
  /** its batch is on the way */
  readonly isBusy: boolean;
  /** update whose change is pointed at in the list: its flag is open on all charts */
  readonly shownEvent: number | null;
  /** live settings that were just changed and are not sent yet, by path */
  readonly pending: Readonly<Record<string, number>>;
  /** why the last wish was refused; empty if it was not */
  readonly why: string;
};

const nothing: TimelineView = { marks: [], past: null, isBusy: false, shownEvent: null, pending: {}, why: '' };

export const useTimeline = create<TimelineView>(() => nothing);

let live: Snapshot | null = null;

/** The newest batch of the run: shown at once, or kept while someone looks at the past. */
export function takeSnapshot(snapshot: Snapshot): void {
  live = snapshot;
  runScale().see(snapshot);
  if (useTimeline.getState().past === null) newestSnapshot.set(snapshot);
}

/** The batch of the past, shown in the place of the newest one. */
export function showPast(snapshot: Snapshot): void {
  runScale().see(snapshot);
  newestSnapshot.set(snapshot);
}

/** The newest batch of the run, whatever is looked at. */
export const liveSnapshot = (): Snapshot | null => live;

export function showNow(): void {
  useTimeline.setState({ past: null, isBusy: false, why: '' });
  if (live) newestSnapshot.set(live);
}

/** The run continues from what is shown: nothing newer exists any more. */
export function pastIsNow(): void {
  live = newestSnapshot.get();
  useTimeline.setState({ past: null, isBusy: false, why: '' });
}

/** Another run is loaded. */
export function clearTimeline(): void {
  live = null;
  newRunScale();
  useTimeline.setState(nothing);
}
