import { linkFragment } from '../../config/link.ts';
import { runConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { momentOfNow } from './shownMoment.ts';

/** The whole address that opens the experiment on the screen. */
export function linkOf(): string {
  const { config, title, note: words } = useDraft.getState();
  const fragment = linkFragment({
    config,
    ...(title ? { title } : {}),
    ...(words ? { note: words } : {}),
    ...(config === runConfig() ? momentOfNow() : {}),
  });
  return `${location.origin}${location.pathname}${fragment}`;
}
