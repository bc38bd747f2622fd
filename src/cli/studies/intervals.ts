import { mean, quantileSorted } from '../../core/stats.ts';
import { holm, signFlipP } from '../../lab/analysis/ablation.ts';
import { pText, type Show } from '../../lab/analysis/shown.ts';
import { bootstrapInterval } from '../../core/seeds.ts';

/** Draws of the seeds behind every interval. */
export const RESAMPLES = 2000;

export const median = (x: ArrayLike<number>): number => quantileSorted(new Float64Array(x).sort(), 0.5);

const inBrackets = (value: number, interval: readonly number[] | null, show: Show): string =>
  interval ? `${show(value)} [${interval.map(show).join(', ')}]` : show(value);

/** Statistic of one number a seed, with the 95 % interval of a bootstrap over the seeds; "–" without any. */
export function ofSeeds(
  x: readonly number[],
  show: Show,
  statistic: (x: ArrayLike<number>) => number = median,
): string {
  if (x.length === 0) return '–';
  return inBrackets(statistic(x), bootstrapInterval([x], statistic, RESAMPLES), show);
}

/**
 * A statistic that needs several numbers of each seed: the seeds are drawn, and with them all that belongs to them.
 * @param of statistic of a list of seeds, by their places 0 … n − 1
 */
export function overSeeds(n: number, of: (seeds: ArrayLike<number>) => number, show: Show): string {
  const places = Array.from({ length: n }, (_, s) => s);
  return inBrackets(of(places), bootstrapInterval([places], of, RESAMPLES), show);
}

/** Two ways that ran with the same seeds, one number a seed each. */
export type Pair = { readonly x: readonly number[]; readonly y: readonly number[] };

/**
 * Mean difference x − y of each pair with its interval, and its exact two-sided p by flipping signs, corrected after Holm for
 * all pairs that are handed in together.
 */
export function paired(pairs: readonly (Pair | null)[], show: Show): string[] {
  const there = pairs.filter((pair) => pair !== null);
  const p = holm(there.map(({ x, y }) => signFlipP([x], [y])));
  return pairs.map((pair) => {
    if (!pair) return '–';
    const differences = pair.x.map((x, s) => x - pair.y[s]!);
    return `${ofSeeds(differences, show, mean)}, p ${pText(p[there.indexOf(pair)]!)}`;
  });
}
