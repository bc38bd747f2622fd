import { flushSync } from 'react-dom';
import { look } from '../stores/view.ts';

/** Opens the form where a setting is, brings it into sight and gives it the focus. */
export function goToField(path: string): void {
  flushSync(() => look({ tab: 'setup', isSetupOpen: true }));
  const row = document.querySelector<HTMLElement>(`[data-path="${path}"]`);
  for (let at = row; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
}
