import { linkFragment } from '../../config/link.ts';
import { useDraft } from '../stores/draft.ts';
import { note } from '../stores/run.ts';
import { say } from '../notices/say.ts';

/** The whole address that opens the experiment on the screen. */
export function linkOf(): string {
  const { config, title, note: words } = useDraft.getState();
  const fragment = linkFragment({ config, ...(title ? { title } : {}), ...(words ? { note: words } : {}) });
  return `${location.origin}${location.pathname}${fragment}`;
}

export async function copyLink(): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(linkOf());
    note('link copied');
    say('The link is in the clipboard.');
    return true;
  } catch {
    say('The browser did not allow copying; select the link in the Share dialog instead.');
    return false;
  }
}
