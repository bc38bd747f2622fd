import * as Comlink from 'comlink';
import { LabHost } from './host.ts';

/**
 * Entry of the worker. The first message carries the data port; after that the worker answers Comlink calls.
 * `automated` comes from the page (navigator.webdriver is not visible in workers) and only arms test hooks.
 */
self.addEventListener(
  'message',
  (event: MessageEvent<{ port: MessagePort; automated: boolean }>) => {
    Comlink.expose(new LabHost(event.data.port, event.data.automated));
    self.postMessage('ready');
  },
  { once: true },
);
