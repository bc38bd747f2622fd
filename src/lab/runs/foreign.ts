import type { Expect } from '../../config/expect.ts';
import type { Config } from '../../config/slots.ts';
import { CURVES, metricIndex } from '../../slots/metrics/metrics.ts';
import { episodesOf, expectOf, seedCountOf, type Curves, type Result } from './summary.ts';
import { firstsOf, verdictOf, type Verdict } from './verify.ts';

/** Episodes of other tabs that trained a run, over all updates and seeds. They are in no config, so nobody can repeat it. */
export const foreignIn = ({ part: { values } }: Curves): number => sumOfForeign(values, metricIndex.peerRows, CURVES);

/** The same of numbers of which every so many one is that of an update and seed, from the first on. */
export function sumOfForeign(values: Float32Array, first = 0, every = 1): number {
  let sum = 0;
  for (let k = first; k < values.length; k += every) sum += Math.max(0, values[k]! || 0);
  return sum;
}

/** What that means for a link or a bundle; empty where there were none. */
export function foreignWords(foreign: number, what = 'this link'): string {
  if (foreign === 0) return '';
  return `${countWords(foreign)} from other tabs: ${what} repeats the settings, not the numbers.`;
}

const countWords = (n: number): string => (n === 1 ? '1 episode came' : `${n.toLocaleString('en-US')} episodes came`);

/** What a run has come to, without its curves. */
export type Reached = {
  readonly config: Config;
  readonly expect: Expect;
  /** episodes of other tabs that trained it */
  readonly foreign: number;
};

export const reachedBy = (result: Result): Reached => ({
  ...{ config: result.config, expect: expectOf(result), foreign: foreignIn(result.curves) },
});

/** The result as a link carries it, to be trained again and compared; null where others had a part in it. */
export const claimOf = ({ expect, foreign }: Reached): Expect | null => (foreign > 0 ? null : expect);

/** The numbers of a result that is trained again, of which one metric at a time is read. */
export type Known = {
  readonly foreign: number;
  /** a metric of its seeds, and of those that were trained again */
  readonly both: Parameters<typeof firstsOf>[0];
};

/**
 * What training a result again has shown, or the sentence of why it shows nothing: episodes of others trained one of the two.
 * @param known the numbers of the first, where there are any
 */
export async function compared(expected: Expect, known: Known | null, found: Reached): Promise<Verdict | string> {
  const first = known && neverEqual(known.foreign);
  if (first) return first;
  if (found.foreign > 0)
    return `${countWords(found.foreign)} from other tabs while it was trained again, so it shows nothing. Stop hearing other tabs and verify again.`;
  const episodes = episodesOf(found.config) * seedCountOf(found.config);
  return verdictOf(expected, found.expect, episodes, known && (await firstsOf(known.both)));
}

/** Why a result in which so many episodes of others trained cannot be verified; null: it can. */
export function neverEqual(foreign: number): string | null {
  if (foreign === 0) return null;
  return `${countWords(foreign)} from other tabs, which the experiment does not hold: it can be trained again, but not verified.`;
}
