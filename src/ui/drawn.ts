import * as Comlink from 'comlink';
import type { Told } from '../worker/protocol.ts';

/** Says how long the page was busy since `from` as soon as it is no more; a page that nobody sees draws nothing. */
export function whenIdle(then: (busyMs: number) => void, from: number): void {
  const done = (): void => then(performance.now() - from);
  if (document.hidden) then(0);
  // Safari has no such call
  else if (typeof requestIdleCallback === 'function') requestIdleCallback(done, { timeout: 1000 });
  else setTimeout(done);
}

/** A callback for a worker that tells again and again: it is answered when what it brought is drawn. */
export const toldBy = <T extends readonly unknown[]>(act: (...news: T) => void): Told<T> & Comlink.ProxyMarked =>
  Comlink.proxy((...news: T) => {
    const from = performance.now();
    act(...news);
    return new Promise<number>((drawn) => whenIdle(drawn, from));
  });
