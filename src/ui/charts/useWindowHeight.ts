import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};

/** Height of the window in CSS pixels. */
export const useWindowHeight = (): number => useSyncExternalStore(subscribe, () => innerHeight);
