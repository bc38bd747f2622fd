import { useSyncExternalStore } from 'react';

function onHash(act: () => void): () => void {
  addEventListener('hashchange', act);
  return () => removeEventListener('hashchange', act);
}

/** What `read` finds in the fragment of the address, now and whenever it changes. */
export const useHash = <T extends string | number>(read: (hash: string) => T): T =>
  useSyncExternalStore(onHash, () => read(location.hash));
