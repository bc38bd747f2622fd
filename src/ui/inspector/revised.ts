import type { Config } from '../../config/slots.ts';
import { chosenOf } from '../../contract/module.ts';
import { revisions } from '../../slots/registry.ts';

/** What a run does to the credit of its estimator before it learns, as the end of a sentence; null: nothing. */
export function revisedBy({ revise }: Config): string | null {
  const done = chosenOf(revisions, revise).map(({ module }) => module.caption);
  return done.length > 0 ? done.join(' and ') : null;
}
