import * as Comlink from 'comlink';
import { LabHost } from './host.ts';

/**
 * Entry of the worker. The first message carries the data port; every other message is a Comlink call.
 * `automated` comes from the page, where navigator.webdriver can be read; it only arms test hooks. So does `cores`.
 */
self.addEventListener(
  'message',
  (event: MessageEvent<{ port: MessagePort; automated: boolean; cores?: number }>) => {
    const { port, automated, cores } = event.data;
    Comlink.expose(new LabHost(port, automated, cores));
  },
  { once: true },
);

// A promise nobody waited for is a crash too: make it visible to the page as an error of this worker.
self.addEventListener('unhandledrejection', (event) => {
  throw event.reason instanceof Error ? event.reason : new Error(String(event.reason));
});
