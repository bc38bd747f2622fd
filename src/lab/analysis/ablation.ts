import { below, PURPOSE, random } from '../../core/random.ts';
import { mean, std } from '../../core/stats.ts';
import type { Scores } from '../../core/seeds.ts';

/** All 2ⁿ sign patterns are looked at up to this many differences; beyond it, and beyond MOST_SPLITS, a sample of them. */
const MOST_SIGNS = 16;
const MOST_SPLITS = 50_000;
const SAMPLED = 10_000;
/** Seed of the sampled patterns, fixed so that a p-value can be reproduced. */
const SEED = 1;
/** Patterns that are equal on paper differ in the last bits of their sums. */
const TIE = 1e-12;

/** Median of the means of the tasks (rliable's "median"), and of all cells. */
export const medianOfTasks = (scores: Scores): number => median(scores.map(mean));
export const medianOfCells = (scores: Scores): number => median(scores.flat());

/** The middle one in order, or the mean of both; NaN for an empty list. */
export function median(x: readonly number[]): number {
  const sorted = [...x].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

/** Mean of max(0, target − score) over all cells. */
export function optimalityGap(scores: Scores, target = 1): number {
  return mean(scores.flat().map((x) => Math.max(0, target - x)));
}

/** Share of cells with a score above each τ. */
export function performanceProfile(scores: Scores, taus: readonly number[]): number[] {
  const all = scores.flat();
  return taus.map((tau) => all.filter((x) => x > tau).length / all.length);
}

/** Scores of each seed averaged over the tasks; all tasks have the same seeds. */
export function seedMeans(scores: Scores): number[] {
  return scores[0]!.map((_, seed) => mean(scores.map((task) => task[seed]!)));
}

export type Paired = {
  /** mean over seeds of the difference x − y, averaged over tasks; and by task */
  readonly mean: number;
  readonly perTask: readonly number[];
  /** sd / √n over seeds; null with one seed */
  readonly se: number | null;
};

/** Differences of two methods that ran with the same seeds. */
export function pairedDifference(X: Scores, Y: Scores): Paired {
  const d = differences(X, Y);
  return {
    mean: mean(d),
    perTask: X.map((task, k) => mean(task.map((x, seed) => x - Y[k]![seed]!))),
    se: d.length > 1 ? std(d) / Math.sqrt(d.length) : null,
  };
}

const differences = (X: Scores, Y: Scores): number[] => {
  const y = seedMeans(Y);
  return seedMeans(X).map((x, seed) => x - y[seed]!);
};

/**
 * Two-sided sign-flip test of paired methods: share of the sign patterns of the per-seed differences whose |mean| is at
 * least the observed one; the observed pattern counts.
 */
export function signFlipP(X: Scores, Y: Scores): number {
  const d = differences(X, Y);
  const observed = Math.abs(d.reduce((a, b) => a + b, 0));
  if (d.length <= MOST_SIGNS) {
    const sums = signedSums(d);
    let extreme = 0;
    for (let r = 0; r < sums.length; r++) if (Math.abs(sums[r]!) >= observed - TIE) extreme++;
    return extreme / sums.length;
  }
  let extreme = 0;
  for (let r = 0; r < SAMPLED; r++) {
    let sum = 0;
    // the first pattern is the observed one
    for (let j = 0; j < d.length; j++) sum += r > 0 && random(SEED, PURPOSE.signFlip, r, j, 0) & 1 ? -d[j]! : d[j]!;
    if (Math.abs(sum) >= observed - TIE) extreme++;
  }
  return extreme / SAMPLED;
}

/** Σ ±x in index order for every pattern of signs: bit j of a place flips x[j], and patterns share the sum of their low bits. */
function signedSums(x: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** x.length);
  x.forEach((value, j) => {
    for (let p = 0; p < 2 ** j; p++) {
      sums[p + 2 ** j] = sums[p]! - value;
      sums[p]! += value;
    }
  });
  return sums;
}

/**
 * Two-sided label permutation of unpaired methods: share of the splits of all per-seed scores into groups of the same
 * sizes whose difference of means is at least the observed one; the observed split counts.
 */
export function labelPermutationP(X: Scores, Y: Scores): number {
  const x = seedMeans(X);
  const all = [...x, ...seedMeans(Y)];
  const [n, k] = [all.length, x.length];
  const total = all.reduce((a, b) => a + b, 0);
  const gap = (sum: number): number => Math.abs(sum / k - (total - sum) / (n - k));
  const observed = gap(x.reduce((a, b) => a + b, 0));
  let extreme = 0;
  let splits = 0;
  const judge = (sum: number): void => {
    splits++;
    if (gap(sum) >= observed - TIE) extreme++;
  };
  if (choose(n, k) <= MOST_SPLITS) {
    const pick = (from: number, left: number, sum: number): void => {
      if (left === 0) return judge(sum);
      for (let j = from; j <= n - left; j++) pick(j + 1, left - 1, sum + all[j]!);
    };
    pick(0, k, 0);
  } else {
    judge(x.reduce((a, b) => a + b, 0));
    for (let r = 1; r < SAMPLED; r++) {
      const order = [...all];
      let sum = 0;
      for (let j = 0; j < k; j++) {
        const at = j + below(random(SEED, PURPOSE.permutation, r, j, 0), n - j);
        [order[j], order[at]] = [order[at]!, order[j]!];
        sum += order[j]!;
      }
      judge(sum);
    }
  }
  return extreme / splits;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let j = 1; j <= k; j++) ways = (ways * (n - k + j)) / j;
  return ways;
}

/** Holm's correction: adjusted p = running max of min(1, (m − r)·p_(r)) over the sorted p, in the given order. */
export function holm(p: readonly number[]): number[] {
  const adjusted = new Array<number>(p.length).fill(1);
  let largest = 0;
  const order = p.map((_, k) => k).sort((a, b) => p[a]! - p[b]!);
  order.forEach((k, r) => {
    largest = Math.max(largest, Math.min(1, (p.length - r) * p[k]!));
    adjusted[k] = largest;
  });
  return adjusted;
}

/** Value of an evaluation curve at some step: straight between two points, constant before the first and after the last. */
export function curveAt(steps: readonly number[], values: readonly number[], x: number): number {
  if (x <= steps[0]!) return values[0]!;
  for (let k = 1; k < steps.length; k++) {
    const [a, b] = [steps[k - 1]!, steps[k]!];
    if (x <= b) return values[k - 1]! + ((values[k]! - values[k - 1]!) * (x - a)) / (b - a);
  }
  return values.at(-1)!;
}

/** Trapezoid of an evaluation curve over [0, limit] divided by the limit; constant before its first and after its last point. */
export function areaUnderCurve(steps: readonly number[], values: readonly number[], limit: number): number {
  const at = (x: number): number => curveAt(steps, values, x);
  const points = [0, ...steps.filter((x) => x > 0 && x < limit), limit];
  let area = 0;
  for (let k = 1; k < points.length; k++) {
    area += ((at(points[k - 1]!) + at(points[k]!)) / 2) * (points[k]! - points[k - 1]!);
  }
  return area / limit;
}

/** First step from which two evaluations in a row are at least `level`; Infinity if there is none (censored). */
export function stepsTo(steps: readonly number[], values: readonly number[], level: number): number {
  for (let k = 0; k + 1 < values.length; k++) {
    if (values[k]! >= level && values[k + 1]! >= level) return steps[k]!;
  }
  return Infinity;
}

/** Median of `stepsTo` over all runs, censored ones as ∞, and the share that got there. */
export function reached(runs: readonly number[]): { readonly median: number; readonly share: number } {
  return { median: median(runs), share: runs.filter((x) => x < Infinity).length / runs.length };
}
