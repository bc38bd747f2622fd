import type { Expect } from '../../config/expect.ts';
import { CURVES, metricIndex } from '../../slots/metrics/metrics.ts';
import { episodesOf, expectOf, seedCountOf, type Curves, type Result } from './summary.ts';
import { verdictOf, type Verdict } from './verify.ts';

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

/** The result as a link carries it, to be trained again and compared; null where others had a part in it. */
export const claimOf = (result: Result): Expect | null => (foreignIn(result.curves) > 0 ? null : expectOf(result));

/**
 * What training a result again has shown, or the sentence of why it shows nothing: episodes of others trained one of the two.
 * @param curves the numbers of the first, where these are known
 */
export function compared(expected: Expect, curves: Curves | null, found: Result): Verdict | string {
  const first = curves && neverEqual(curves);
  if (first) return first;
  const here = foreignIn(found.curves);
  if (here > 0)
    return `${countWords(here)} from other tabs while it was trained again, so it shows nothing. Stop hearing other tabs and verify again.`;
  const episodes = episodesOf(found.config) * seedCountOf(found.config);
  return verdictOf(expected, expectOf(found), episodes, curves && [curves, found.curves]);
}

/** Why a result cannot be verified; null: it can. */
export function neverEqual(curves: Curves): string | null {
  const foreign = foreignIn(curves);
  if (foreign === 0) return null;
  return `${countWords(foreign)} from other tabs, which the experiment does not hold: it can be trained again, but not verified.`;
}
