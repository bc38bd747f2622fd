import type { BatchView } from '../engine/backend.ts';
import type { Truths } from './creditExact.ts';
import type { Grounds } from './creditGround.ts';

/** Levels that are looked at where there are no exact values: the levels of a run pay alike. */
const LOOKED_AT = 4;

/** Most less least that a step can pay in the levels of a batch, 0 counted (spec metrics §10.2). */
export function rangeOf({ all }: Pick<Truths, 'all'>): number {
  const least = Math.min(...all.map(({ seen }) => seen.pays.least));
  return Math.max(...all.map(({ seen }) => seen.pays.most)) - least;
}

/**
 * The same where there are no exact values: of the first levels, unless they have too many states, and of what the steps
 * of the batch were paid.
 */
export function paidRange(grounds: Grounds, { levelSeeds, batch, world }: Paying): number {
  let [least, most] = [0, 0];
  for (const seed of [...new Set(levelSeeds)].slice(0, LOOKED_AT)) {
    const pays = grounds.of(seed)?.all.pays;
    least = Math.min(least, pays?.least ?? 0);
    most = Math.max(most, pays?.most ?? 0);
  }
  for (const r of (world ?? batch).reward) {
    least = Math.min(least, r);
    most = Math.max(most, r);
  }
  return most - least;
}

type Paying = Pick<BatchView, 'levelSeeds' | 'world'> & { readonly batch: Pick<BatchView['batch'], 'reward'> };
