import { below, PURPOSE, random } from '../../core/random.ts';
import { interval95, type Scores } from '../../core/seeds.ts';
import { mean } from '../../core/stats.ts';
import { curveAt } from './ablation.ts';

/** Fewer seeds have no interval: a bootstrap of two would only say that there are two. */
export const LEAST_SEEDS = 3;
const RESAMPLES = 2000;
/** Fixed, so that an interval can be reproduced; that of every other interval. */
const SEED = 1;

export type Interval = readonly [low: number, high: number];
export type Band = { readonly low: readonly number[]; readonly high: readonly number[] };

/**
 * Pointwise 95 % band of a statistic with several values, such as a curve: inside each task, the seeds are drawn with
 * replacement, and with each of them all of its values. Null with fewer than 3 seeds in a task.
 * @param sizes seeds of each task
 * @param of values of a list of runs, by their places: those of the first task, then those of the next
 */
export function bootstrapBand(sizes: readonly number[], of: (places: Uint32Array) => ArrayLike<number>): Band | null {
  if (sizes.length === 0 || sizes.some((n) => n < LEAST_SEEDS)) return null;
  const places = new Uint32Array(sizes.reduce((a, b) => a + b, 0));
  const draws = Array.from({ length: RESAMPLES }, (_, r) => {
    let from = 0;
    sizes.forEach((n, k) => {
      for (let j = 0; j < n; j++) places[from + j] = from + below(random(SEED, PURPOSE.bootstrap, r, k, j), n);
      from += n;
    });
    return Float64Array.from(of(places));
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
export type Curve = {
  readonly steps: readonly number[];
  readonly success: readonly number[];
  /** update in which it diverged: its last value, 0, holds from its end on */
  readonly diverged?: number | undefined;
};

export type GroupCurve = {
  readonly steps: readonly number[];
  readonly iqm: readonly number[];
  readonly band: Band | null;
};

/**
 * Interquartile mean of the runs of a group with its band, at evenly spaced steps up to the end of the shortest run; one
 * that diverged shortens nothing.
 * @param sizes runs of each task, where there are several; the curves are in the order of the tasks
 * @param range only these steps; where the shortest run has ended before, there are no points
 */
export function groupCurve(
  curves: readonly Curve[],
  points = 61,
  sizes = [curves.length],
  range: Interval = [0, Infinity],
): GroupCurve {
  const whole = curves.filter(({ diverged }) => diverged === undefined);
  const from = range[0];
  const end = Math.min(range[1], ...(whole.length > 0 ? whole : curves).map(({ steps }) => steps.at(-1)!));
  if (end < from) return { steps: [], iqm: [], band: null };
  const steps = Array.from({ length: points }, (_, k) => from + ((end - from) * k) / (points - 1));
  const values = steps.map((x) => Float64Array.from(curves, (curve) => curveAt(curve.steps, curve.success, x)));
  const drawn = new Float64Array(curves.length);
  const cut = Math.floor(drawn.length / 4);
  const middle = drawn.subarray(cut, drawn.length - cut);
  const over = (places: Uint32Array): Float64Array =>
    Float64Array.from(values, (at) => {
      for (let j = 0; j < drawn.length; j++) drawn[j] = at[places[j]!]!;
      drawn.sort();
      return mean(middle);
    });
  const all = Uint32Array.from(curves, (_, k) => k);
  return { steps, iqm: [...over(all)], band: bootstrapBand(sizes, over) };
}
