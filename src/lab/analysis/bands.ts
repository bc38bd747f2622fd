import { below, PURPOSE, random } from '../../core/random.ts';
import { interval95, type Scores } from '../../core/seeds.ts';
import { iqm } from '../../core/stats.ts';
import { curveAt } from './ablation.ts';

/** Fewer seeds have no interval: a bootstrap of two would only say that there are two. */
export const LEAST_SEEDS = 3;
const RESAMPLES = 2000;
/** Fixed, so that an interval can be reproduced; that of every other interval. */
const SEED = 1;

export type Interval = readonly [low: number, high: number];
export type Band = { readonly low: readonly number[]; readonly high: readonly number[] };

/**
 * Pointwise 95 % band of a statistic with several values, such as a curve: the seeds are drawn with replacement, and with
 * each of them all of its values. Null with fewer than 3 seeds.
 * @param of values of a list of seeds, by their places 0 … n − 1
 */
export function bootstrapBand(n: number, of: (seeds: Uint32Array) => ArrayLike<number>): Band | null {
  if (n < LEAST_SEEDS) return null;
  const seeds = new Uint32Array(n);
  const draws = Array.from({ length: RESAMPLES }, (_, r) => {
    for (let j = 0; j < n; j++) seeds[j] = below(random(SEED, PURPOSE.bootstrap, r, 0, j), n);
    return Float64Array.from(of(seeds));
  });
  const points = Array.from(draws[0]!, (_, k) => interval95(draws.map((values) => values[k]!)));
  return { low: points.map(([low]) => low), high: points.map(([, high]) => high) };
}

/**
 * 95 % interval of a statistic of two methods that are not paired: seeds are drawn with replacement inside each task of
 * each method, independently. Null with fewer than 3 seeds in a task.
 */
export function bootstrapTwo(X: Scores, Y: Scores, statistic: (X: Scores, Y: Scores) => number): Interval | null {
  if ([...X, ...Y].some((task) => task.length < LEAST_SEEDS)) return null;
  const draw = (scores: Scores, r: number, from: number): Scores =>
    scores.map((task, k) =>
      task.map((_, j) => task[below(random(SEED, PURPOSE.bootstrap, r, from + k, j), task.length)]!),
    );
  return interval95(Float64Array.from({ length: RESAMPLES }, (_, r) => statistic(draw(X, r, 0), draw(Y, r, X.length))));
}

/** Evaluations of one run: success after so many environment steps. */
export type Curve = { readonly steps: readonly number[]; readonly success: readonly number[] };

export type GroupCurve = {
  readonly steps: readonly number[];
  readonly iqm: readonly number[];
  readonly band: Band | null;
};

/** Interquartile mean of the runs of a group with its band, at evenly spaced steps up to the end of the shortest run. */
export function groupCurve(curves: readonly Curve[], points = 61): GroupCurve {
  const end = Math.min(...curves.map(({ steps }) => steps.at(-1)!));
  const steps = Array.from({ length: points }, (_, k) => (end * k) / (points - 1));
  const values = curves.map((curve) => steps.map((x) => curveAt(curve.steps, curve.success, x)));
  const over = (seeds: ArrayLike<number>): number[] =>
    steps.map((_, k) => iqm(Array.from(seeds, (seed) => values[seed]![k]!)));
  return { steps, iqm: over(curves.map((_, k) => k)), band: bootstrapBand(curves.length, over) };
}
