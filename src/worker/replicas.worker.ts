import * as Comlink from 'comlink';
import { onBeat } from '../engine/cpu/beat.ts';
import { CpuShare } from '../engine/cpu/share.ts';

/** Entry of a worker that trains some replicas of a run on its own core. */
Comlink.expose(new CpuShare());

const BEAT_MS = 1000;
let beatAt = -Infinity;
// in the middle of an update it answers nobody, so it says by itself that it works
onBeat(() => {
  const now = performance.now();
  if (now - beatAt < BEAT_MS) return;
  beatAt = now;
  postMessage('beat');
});
