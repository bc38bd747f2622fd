import { say } from './notices/say.ts';
import { report } from './stores/run.ts';

/**
 * The site is kept for visits without a connection: by its service worker, in the built site, where browsers have one. A
 * newer version waits until no page of this one is open, and that is said once.
 */
export async function keepSite(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // a browser that keeps no site, as in private windows, is no trouble: it has a connection
  const site = await navigator.serviceWorker.register('./sw.js').catch(() => null);
  if (!site) return;
  const tell = (): void => {
    // on the first visit none is active that the new one would have to wait for
    if (!site.waiting || !site.active) return;
    report({ kind: 'updateWaits' });
    say('A newer version of the lab waits until you open it the next time.', false);
  };
  const listen = (): void => site.installing?.addEventListener('statechange', tell);
  tell();
  listen();
  site.addEventListener('updatefound', listen);
}
