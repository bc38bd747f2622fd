import { useEffect } from 'react';
import { leaveTo } from './focus.ts';
import { look, useView, WIDE } from './stores/view.ts';

/**
 * On windows too narrow for three columns the form is a drawer over the stage: it closes by Esc, and when the focus goes
 * to what is below it.
 */
export function useDrawer(): void {
  useEffect(() => {
    const wide = matchMedia(WIDE);
    const isDrawer = (): boolean => !wide.matches && useView.getState().isSetupOpen;
    const isIn = (event: Event, place: string): boolean => (event.target as Element).closest(place) !== null;
    const shut = (): void => look({ isSetupOpen: false });
    const follow = (): void => void (!wide.matches && shut());
    const onFocus = (event: Event): void => void (isDrawer() && isIn(event, '.center') && shut());
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && isDrawer() && isIn(event, '.setup')) leaveTo(shut, '.header [aria-expanded]');
    };
    wide.addEventListener('change', follow);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('keydown', onKey);
    return () => {
      wide.removeEventListener('change', follow);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}
