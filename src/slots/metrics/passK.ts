import { below, PURPOSE, random } from '../../core/random.ts';
import { mean } from '../../core/stats.ts';
import { interval95 } from '../../core/seeds.ts';
import { passAtK } from './success.ts';

/** k = 1, 2, 4, … up to n, and n itself. */
export function passKs(n: number): number[] {
  const ks: number[] = [];
  for (let k = 1; k < n; k *= 2) ks.push(k);
  return [...ks, n];
}

/** Mean over tasks of pass@k for each k: tasks with c[task] successes among n rollouts (arXiv 2107.03374). */
export function passCurve(n: number, c: readonly number[], ks: readonly number[]): number[] {
  return ks.map((k) => mean(c.map((successes) => passAtK(n, successes, k))));
}

/** The same where the success probability p of each task is known: mean of 1 − (1−p)^k. */
export function exactPassCurve(p: readonly number[], ks: readonly number[]): number[] {
  return ks.map((k) => mean(p.map((x) => 1 - (1 - x) ** k)));
}

/** Resamples of the tasks behind an interval; their seed is fixed so that it can be reproduced. */
const RESAMPLES = 1000;
const SEED = 1;

/** 95 % bootstrap intervals over tasks (not over rollouts) for each k; null with fewer than 3 tasks. */
export function passIntervals(n: number, c: readonly number[], ks: readonly number[]): [number, number][] | null {
  if (c.length < 3) return null;
  return ks.map((k) => {
    const perTask = c.map((successes) => passAtK(n, successes, k));
    return interval95(
      Float64Array.from({ length: RESAMPLES }, (_, r) =>
        mean(c.map((__, j) => perTask[below(random(SEED, PURPOSE.bootstrap, r, 0, j), c.length)]!)),
      ),
    );
  });
}

/**
 * Where the curve of the trained policy falls below that of the base: k interpolated in log k between the points around it.
 * Null if it never was ahead, or never falls behind.
 */
export function crossing(ks: readonly number[], base: readonly number[], trained: readonly number[]): number | null {
  const lead = ks.map((_, j) => trained[j]! - base[j]!);
  let isAhead = false;
  for (let j = 0; j < ks.length; j++) {
    if (lead[j]! > 0) isAhead = true;
    else if (isAhead && lead[j]! < 0) {
      // a point at exactly 0 in between is the crossing itself
      const share = lead[j - 1]! / (lead[j - 1]! - lead[j]!);
      return Math.exp(Math.log(ks[j - 1]!) + share * (Math.log(ks[j]!) - Math.log(ks[j - 1]!)));
    }
  }
  return null;
}

/** Tasks solved at least once in n rollouts: by both policies, only the base, only the trained one, neither. */
export type FourCells = {
  readonly both: number;
  readonly onlyBase: number;
  readonly onlyTrained: number;
  readonly neither: number;
};

/** The four cells from the successes of each task, [tasks] for either policy. */
export function fourCells(base: readonly number[], trained: readonly number[]): FourCells {
  const count = (b: boolean, t: boolean): number => base.filter((x, j) => x > 0 === b && trained[j]! > 0 === t).length;
  return {
    both: count(true, true),
    onlyBase: count(true, false),
    onlyTrained: count(false, true),
    neither: count(false, false),
  };
}

/** Share of tasks solved at least once. */
export const coverage = (c: readonly number[]): number => c.filter((x) => x > 0).length / c.length;
