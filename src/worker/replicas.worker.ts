import * as Comlink from 'comlink';
import { onBeat } from '../engine/cpu/beat.ts';
import { FarCore } from './farCore.ts';

/** Entry of a worker that works for a run on its own core. */
Comlink.expose(new FarCore());

const BEAT_MS = 1000;
let beatAt = -Infinity;
// in the middle of an update it answers nobody, so it says by itself that it works
onBeat(() => {
  const now = performance.now();
  if (now - beatAt < BEAT_MS) return;
  beatAt = now;
  postMessage('beat');
});
