import * as Comlink from 'comlink';
import type { LogsApi } from './logs.worker.ts';

/** The worker that holds the log; a new one where the last was ended. */
let worker: Worker | null = null;
let remote: Comlink.Remote<LogsApi> | null = null;
let onDeath: (() => void) | null = null;

export function desk(): Comlink.Remote<LogsApi> {
  if (remote) return remote;
  worker = new Worker(new URL('./logs.worker.ts', import.meta.url), { type: 'module' });
  worker.onerror = (event) => {
    event.preventDefault();
    endDesk();
    onDeath?.();
  };
  remote = Comlink.wrap<LogsApi>(worker);
  return remote;
}

/** What is done when the worker dies, as it does where there is not enough memory. */
export function whenDeskDies(act: () => void): void {
  onDeath = act;
}

/** Ends what the worker is doing, and forgets the log. */
export function endDesk(): void {
  worker?.terminate();
  [worker, remote] = [null, null];
}
