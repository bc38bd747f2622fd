import { PURPOSE, random, uniform } from '../../core/random.ts';
import { massBalance } from '../../slots/objective/massBalance.ts';

/** Means over draws of N samples. `harmed`: share of the draws after which the exact right mass is smaller. */
export type MassPoint = {
  readonly N: number;
  /** sampled right, sampled wrong, wrong and right that were not sampled */
  readonly terms: readonly [number, number, number, number];
  readonly firstOrder: number;
  readonly exact: number;
  readonly harmed: number;
};

/** Draws of N samples that a point of the curve is a mean over. */
const DRAWS = 200;

/**
 * The mass balance as N grows: means over draws of N actions from p, with R_c = 1, R_w = −1 and the step η(N). A draw
 * with more samples begins with those of one with fewer; all draws have their own purpose, so nothing else moves.
 */
export function massCurve(
  p: ArrayLike<number>,
  correct: ArrayLike<number>,
  sizes: readonly number[],
  etaOf: (N: number) => number,
): MassPoint[] {
  const sums = sizes.map(() => ({ terms: [0, 0, 0, 0], firstOrder: 0, exact: 0, harmed: 0 }));
  const possible = Array.from(p).filter((x) => x > 0).length;
  const count = new Uint32Array(p.length);
  for (let d = 0; d < DRAWS; d++) {
    count.fill(0);
    let n = 0;
    let seen = 0;
    sizes.forEach((N, k) => {
      // once everything has been drawn, further samples change nothing
      for (; n < N && seen < possible; n++) if (count[drawn(p, d, n)]!++ === 0) seen++;
      const step = { rewardCorrect: 1, rewardWrong: -1, eta: etaOf(N), rollouts: N };
      const { terms, unsampled, total, exactDelta } = massBalance(p, correct, count, step);
      const sum = sums[k]!;
      [terms[0], terms[1], unsampled[0], unsampled[1]].forEach((x, j) => (sum.terms[j]! += x / DRAWS));
      sum.firstOrder += total / DRAWS;
      sum.exact += exactDelta / DRAWS;
      if (exactDelta < 0) sum.harmed += 1 / DRAWS;
    });
  }
  return sums.map(({ terms, ...rest }, k) => ({
    N: sizes[k]!,
    terms: terms as unknown as MassPoint['terms'],
    ...rest,
  }));
}

/** Sample n of draw d: an action by inverse CDF; the last possible one where rounding leaves a rest. */
function drawn(p: ArrayLike<number>, d: number, n: number): number {
  const u = uniform(random(0, PURPOSE.massDraw, d, n, 0));
  let chosen = 0;
  let running = 0;
  for (let b = 0; b < p.length; b++) {
    if (!(p[b]! > 0)) continue;
    chosen = b;
    running += p[b]!;
    if (u < running) break;
  }
  return chosen;
}

/**
 * Right actions by their exact values: those that are possible and at most a rounding below the best of them. Null where
 * all possible actions are equally good: then nothing is right or wrong.
 */
export function rightActions(values: ArrayLike<number>, p: ArrayLike<number>): number[] | null {
  let best = -Infinity;
  let worst = Infinity;
  for (let b = 0; b < p.length; b++) {
    if (!(p[b]! > 0)) continue;
    best = Math.max(best, values[b]!);
    worst = Math.min(worst, values[b]!);
  }
  const least = best - 1e-6 * Math.max(1, Math.abs(best));
  if (!(worst < least)) return null;
  return Array.from(p, (x, b) => (x > 0 && values[b]! >= least ? 1 : 0));
}
