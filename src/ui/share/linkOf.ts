import { linkFragment } from '../../config/link.ts';
import { useDraft } from '../stores/draft.ts';

/** The whole address that opens the experiment on the screen. */
export function linkOf(): string {
  const { config, title, note: words } = useDraft.getState();
  const fragment = linkFragment({ config, ...(title ? { title } : {}), ...(words ? { note: words } : {}) });
  return `${location.origin}${location.pathname}${fragment}`;
}
