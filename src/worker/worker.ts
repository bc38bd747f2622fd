import * as Comlink from 'comlink';
import { LabHost } from './host.ts';

/**
 * Entry of the worker. The first message carries the data port; every other message is a Comlink call.
 * `automated` comes from the page, where navigator.webdriver can be read; it only arms test hooks.
 */
self.addEventListener(
  'message',
  (event: MessageEvent<{ port: MessagePort; automated: boolean }>) => {
    Comlink.expose(new LabHost(event.data.port, event.data.automated));
  },
  { once: true },
);

// A promise nobody waited for is a crash too: make it visible to the page as an error of this worker.
self.addEventListener('unhandledrejection', (event) => {
  throw event.reason instanceof Error ? event.reason : new Error(String(event.reason));
});
