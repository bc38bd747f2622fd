import * as Comlink from 'comlink';
import { PRELOAD } from '../core/marks.ts';
import { onBeat } from '../engine/cpu/beat.ts';
import type { GivenCores } from './cores.ts';
import { hireFrom } from './hiring.ts';
import { LabHost } from './host.ts';

/** What this worker is for: the run of the page, runs of a comparison on the GPU, or a check of it, with the same files of the engine. */
type First =
  | {
      readonly port: MessagePort;
      readonly line: MessagePort;
      readonly hire: MessagePort;
      readonly automated: boolean;
      readonly cores?: GivenCores;
      readonly keeps: boolean;
    }
  | { readonly cells: MessagePort }
  | { readonly check: MessagePort };

/**
 * Entry of the worker. The first message carries the data port, the lifeline, and where workers are asked for; every other message is
 * a Comlink call.
 * `automated` comes from the page, where navigator.webdriver can be read; it only arms test hooks. So does `cores`. Where
 * the page `keeps` nothing, as in a frame of another page, nothing of a run is written.
 */
self.addEventListener('message', ({ data }: MessageEvent<First | object | string>) => {
  // WebKit may call a listener again that asked to be called once
  if (typeof data !== 'object') return;
  if ('cells' in data) {
    void import('./sweeps/gpuLane.ts').then(({ serveCells }) => serveCells(data.cells));
  } else if ('check' in data) {
    void import('./checking.ts').then(({ serveCheck }) => serveCheck(data.check));
  } else if ('port' in data) {
    const { port, line, hire, automated, cores, keeps } = data;
    hireFrom(hire);
    const host = new LabHost(port, automated, cores, line, keeps);
    onBeat(() => host.beat());
    Comlink.expose(host);
  }
});

// Comlink does not know this message and leaves it alone.
self.addEventListener('message', ({ data }) => {
  if (data !== PRELOAD) return;
  // what does not come now is asked for again when it is wanted
  import('./preload.ts').then(({ preload }) => preload()).catch(() => undefined);
});

// A promise nobody waited for is a crash too: make it visible to the page as an error of this worker.
self.addEventListener('unhandledrejection', (event) => {
  throw event.reason instanceof Error ? event.reason : new Error(String(event.reason));
});
