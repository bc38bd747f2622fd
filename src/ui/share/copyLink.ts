import { note } from '../stores/run.ts';
import { say } from '../notices/say.ts';
import { toClipboard } from './toClipboard.ts';

export async function copyLink(): Promise<boolean> {
  try {
    const made = import('./linkOf.ts').then(({ linkNow }) => linkNow());
    await toClipboard(made.then(({ link }) => link));
    note('link copied');
    say(`The link is in the clipboard. ${(await made).told}`.trim());
    return true;
  } catch {
    say('The browser did not allow copying; select the link in the Share dialog instead.');
    return false;
  }
}
