import { linkFragment } from '../../config/link.ts';
import { claimOf, reachedBy } from '../runs/foreign.ts';
import type { Result } from '../runs/summary.ts';
import type { RunToPack } from './runBundle.ts';

/** The result of a run as links and claims know it. */
export const resultOfRun = ({ config, curves, digests, backend, lab }: RunToPack): Result => ({
  ...{ config, curves, digest: digests.all, backend, version: lab },
});

/** The link that opens the experiment of a run, with its result where that can be verified; null where it has no site. */
export function linkOfRun(run: RunToPack): string | null {
  const { config, title, site } = run;
  const expect = claimOf(reachedBy(resultOfRun(run)));
  const shared = { config, ...(expect && { expect }), ...(title === '' ? {} : { title }) };
  return site === null ? null : `${site}${linkFragment(shared)}`;
}
