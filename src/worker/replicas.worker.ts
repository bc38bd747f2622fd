import * as Comlink from 'comlink';
import { onBeat } from '../engine/cpu/beat.ts';
import { RowHand, type RowMessage } from '../engine/cpu/rows/rowHand.ts';
import { CpuShare } from '../engine/cpu/share.ts';

/** Entry of a worker on another core: it trains some replicas of a run, or takes part in some rows of one. */
Comlink.expose(new CpuShare());

const hand = new RowHand();
// Comlink does not know these messages and leaves them alone
self.addEventListener('message', ({ data }: MessageEvent<RowMessage | object>) => {
  if (!('row' in data)) return;
  const opening = hand.hear(data);
  opening?.then(
    () => postMessage('open'),
    (error: unknown) => reportError(error),
  );
});

const BEAT_MS = 1000;
let beatAt = -Infinity;
// in the middle of an update it answers nobody, so it says by itself that it works
onBeat(() => {
  const now = performance.now();
  if (now - beatAt < BEAT_MS) return;
  beatAt = now;
  postMessage('beat');
});
