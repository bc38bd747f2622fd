import { flushSync } from 'react-dom';

/** Props of a button that keeps the focus while it can do nothing (busy, at an end), which a disabled one would lose. */
export function unless(isOff: boolean, act: () => void): { 'aria-disabled': boolean; onClick: () => void } {
  return { 'aria-disabled': isOff, onClick: () => (isOff ? undefined : act()) };
}

/** The first of these places that is in the page gets the focus. */
export function focusOn(...places: readonly string[]): void {
  const next = places.map((place) => document.querySelector<HTMLElement>(place)).find((found) => found !== null);
  next?.focus({ preventScroll: true });
}

/** Does something that takes away what has the focus, which goes to the first of these places that is there then. */
export function leaveTo(act: () => void, ...places: readonly string[]): void {
  flushSync(act);
  focusOn(...places);
}

/** The first button of the run bar that can be pressed: where the focus goes when nothing nearer is left. */
export const RUN_BUTTON = '.runbar button:not(:disabled, [aria-disabled="true"])';
