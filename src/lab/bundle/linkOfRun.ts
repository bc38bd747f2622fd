import type { Expect } from '../../config/expect.ts';
import { linkFragment } from '../../config/link.ts';
import { claimOf, sumOfForeign } from '../runs/foreign.ts';
import type { Overview } from '../runs/inParts.ts';
import { expectBy } from '../runs/summary.ts';
import type { RunToPack } from './runBundle.ts';

/** The result of a run as links and claims know it. */
export const expectOfRun = ({ config, digests, backend, lab }: RunToPack, { numbers }: Overview): Expect =>
  expectBy({ config, digest: digests.all, backend, version: lab }, numbers);

/** Episodes of other tabs that trained a run. */
export const foreignOf = (overview: Overview): number => sumOfForeign(overview.column('peerRows'));

/** The link that opens the experiment of a run, with its result where that can be verified; null where it has no site. */
export function linkOfRun(run: RunToPack, overview: Overview): string | null {
  const { config, title, site } = run;
  const expect = claimOf({ config, expect: expectOfRun(run, overview), foreign: foreignOf(overview) });
  const shared = { config, ...(expect && { expect }), ...(title === '' ? {} : { title }) };
  return site === null ? null : `${site}${linkFragment(shared)}`;
}
