import { flushSync } from 'react-dom';
import { useDraft } from '../stores/draft.ts';
import { look } from '../stores/view.ts';
import { useForm } from './formStore.ts';
import { keyFields } from './keyFields.ts';

/** Opens the form where a setting is, brings it into sight and gives it the focus. The form may still have to come. */
export async function goToField(path: string): Promise<void> {
  flushSync(() => look({ tab: 'setup', isSetupOpen: true }));
  const { base, config } = useDraft.getState();
  // among the few that matter, or else among all
  if (keyFields(base, config).every((field) => field.path !== path)) useForm.setState({ isAll: true, query: '' });
  const row = await rowOf(path);
  for (let at: HTMLElement | null = row; at; at = at.parentElement)
    if (at instanceof HTMLDetailsElement) at.open = true;
  row.scrollIntoView({ block: 'center' });
  row.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
}

const rowAt = (path: string): string => `[data-path="${path}"]`;

/** The row of a setting, as soon as it is in the page. */
function rowOf(path: string): Promise<HTMLElement> {
  const find = (): HTMLElement | null => document.querySelector(rowAt(path));
  const there = find();
  if (there) return Promise.resolve(there);
  return new Promise((found) => {
    const observer = new MutationObserver(() => {
      const row = find();
      if (!row) return;
      observer.disconnect();
      found(row);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
}
