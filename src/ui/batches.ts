import type { Snapshot } from '../worker/protocol.ts';
import { useRun } from './stores/run.ts';
import { takeSnapshot } from './timeline/timelineStore.ts';

let waiting: { readonly snapshot: Snapshot; readonly run: number } | null = null;

/**
 * A batch has come. While a run trains it is drawn in its own task: input waits for a chart or for the stage, not for
 * both. `isStill`: the run waits, and what is on the screen is that of now.
 */
export function takeBatch(snapshot: Snapshot, run: number, isStill: boolean): void {
  const isDue = waiting === null;
  waiting = { snapshot, run };
  if (isStill) drawBatch();
  else if (isDue) setTimeout(drawBatch);
}

function drawBatch(): void {
  const newest = waiting;
  waiting = null;
  // the run may have been replaced since
  if (newest && newest.run === useRun.getState().run) takeSnapshot(newest.snapshot);
}
