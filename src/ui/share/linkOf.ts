import type { Expect } from '../../config/expect.ts';
import { linkFragment } from '../../config/link.ts';
import type { SharedSweep } from '../../config/sharedSweep.ts';
import { claimOf, foreignWords } from '../../lab/runs/foreign.ts';
import { runConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { foreignNow, resultNow } from './resultNow.ts';
import { momentOfNow } from './shownMoment.ts';

/**
 * The whole address that opens the experiment on the screen. `expect`: what its run has come to, to be verified; `sweep`:
 * versions of it to be compared; `isAlone`: nobody else had a part in the run, so that its curve is to be expected.
 */
export function linkOf(expect?: Expect | null, sweep?: SharedSweep, isAlone = true): string {
  const { config, title, note: words } = useDraft.getState();
  const { expected, ...moment } = config === runConfig() ? momentOfNow() : {};
  const fragment = linkFragment({
    config,
    ...(title ? { title } : {}),
    ...(words ? { note: words } : {}),
    ...moment,
    ...(expected && isAlone ? { expected } : {}),
    ...(expect ? { expect } : {}),
    ...(sweep ? { sweep } : {}),
  });
  return `${location.origin}${location.pathname}${fragment}`;
}

/** The same with the result where the run waits, and what has to be said of it: empty, or a sentence. */
export async function linkNow(): Promise<{ readonly link: string; readonly told: string }> {
  const [result, foreign] = await Promise.all([resultNow(), foreignNow()]);
  return { link: linkOf(result && claimOf(result), undefined, foreign === 0), told: foreignWords(foreign) };
}
