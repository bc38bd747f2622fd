import { useSyncExternalStore } from 'react';
import { useView } from './stores/view.ts';

const dark = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)');
const still = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)');

function subscribeTo(query: MediaQueryList | null): (listener: () => void) => () => void {
  return (listener) => {
    query?.addEventListener('change', listener);
    return () => query?.removeEventListener('change', listener);
  };
}
const toDark = subscribeTo(dark);
const toStill = subscribeTo(still);

/** True when the page is dark, by choice or by system. */
export function useIsDark(): boolean {
  const system = useSyncExternalStore(toDark, () => dark?.matches === true);
  const theme = useView((v) => v.theme);
  return theme === 'system' ? system : theme === 'dark';
}

const narrow = typeof matchMedia === 'undefined' ? null : matchMedia('(max-width: 760px)');
const toNarrow = subscribeTo(narrow);

/** True where everything stands in one column. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(toNarrow, () => narrow?.matches === true);
}

const roomy = typeof matchMedia === 'undefined' ? null : matchMedia('(min-width: 62.5em)');
const toRoomy = subscribeTo(roomy);

/** True where the header has room for a notice; layout.css has the same width. */
export function useIsRoomy(): boolean {
  return useSyncExternalStore(toRoomy, () => roomy?.matches === true);
}

/** True when nothing may move by itself. */
export function useIsStill(): boolean {
  return useSyncExternalStore(toStill, () => still?.matches === true);
}

export const isStillNow = (): boolean => still?.matches === true;

const strong =
  typeof matchMedia === 'undefined' ? null : matchMedia('(forced-colors: active), (prefers-contrast: more), print');
const toStrong = subscribeTo(strong);

/** True where colors may not be told apart: forced colors, more contrast wished, or on paper. */
export function useNeedsSigns(): boolean {
  return useSyncExternalStore(toStrong, () => strong?.matches === true);
}
