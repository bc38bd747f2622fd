import * as Comlink from 'comlink';
import type { Problem } from '../core/problem.ts';
import type { Frame, LabWorker } from '../worker/protocol.ts';

/** The page's only door to the worker: commands, and frames that are acknowledged as soon as they are taken in. */
export type Client = {
  readonly lab: Comlink.Remote<LabWorker>;
  /** Ends the worker and starts a new one; frames of the old one no longer arrive. */
  restart(): Client;
};

type Handlers = { frame(frame: Frame): void; crashed(problem: Problem): void };

export function openClient(handlers: Handlers): Client {
  const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  let isOld = false;
  port1.onmessage = ({ data }: MessageEvent<Frame>) => {
    if (isOld) return;
    handlers.frame(data);
    port1.postMessage({ ack: data.seq });
  };
  // a worker answers what it is asked at the start; one that ends before has not come
  let hasAnswered = false;
  worker.addEventListener('message', () => (hasAnswered = true), { once: true });
  worker.onerror = (event) => {
    event.preventDefault();
    if (isOld) return;
    const message = event.message || 'no reason was given';
    handlers.crashed(hasAnswered ? { kind: 'workerCrashed', message } : { kind: 'workerMissing' });
  };
  const automated = navigator.webdriver === true;
  // tests choose how many cores there are, so that they mean the same on every machine
  const cores = automated ? Number(sessionStorage.getItem('cores') ?? 1) : undefined;
  worker.postMessage({ port: port2, automated, cores }, [port2]);
  return {
    lab: Comlink.wrap<LabWorker>(worker),
    restart() {
      isOld = true;
      worker.terminate();
      port1.close();
      return openClient(handlers);
    },
  };
}
