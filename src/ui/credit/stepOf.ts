import type { Snapshot } from '../../worker/protocol.ts';
import { showBatch } from '../stage/shown.ts';
import { look, select } from '../stores/view.ts';

/** What choosing and pointing at a step of episode i mean for the stage, which then plays this batch. */
export function stepOf(snapshot: Snapshot, i: number, isPlayed: boolean) {
  return {
    choose(t: number): void {
      if (!isPlayed) showBatch(snapshot);
      select(i, t);
    },
    hover(t: number | null): void {
      if (t !== null && !isPlayed) showBatch(snapshot);
      look({ hovered: t === null ? null : { i, t } });
    },
  };
}
