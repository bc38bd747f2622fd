import { mean, std } from '../../core/stats.ts';

/** Chance that at least one of k draws without replacement is among the c successes of n rollouts; k ≤ n. */
export function passAtK(n: number, c: number, k: number): number {
  let miss = 1;
  for (let j = 0; j < k; j++) miss *= Math.max(0, n - c - j) / (n - j);
  return 1 - miss;
}

/** Success weighted by path length: mean of success · shortest / max(shortest, taken) (arXiv 1807.06757). */
export function successByPathLength(
  success: ArrayLike<number>,
  shortest: ArrayLike<number>,
  taken: ArrayLike<number>,
): number {
  let total = 0;
  for (let i = 0; i < success.length; i++) {
    if (success[i] !== 0) total += shortest[i]! / Math.max(shortest[i]!, taken[i]!);
  }
  return total / success.length;
}

/** 1 − Var(target − V)/Var(target) over real steps, population variances; null if the target is constant. */
export function explainedVariance(target: ArrayLike<number>, value: ArrayLike<number>): number | null {
  const spread = std(target, true);
  if (!(spread > 1e-10 * Math.abs(mean(target)))) return null;
  const error = Float64Array.from(target, (r, k) => r - value[k]!);
  const rest = std(error, true);
  return 1 - (rest * rest) / (spread * spread);
}

/** Least squares y = slope·x + intercept with R², which is null for a constant y; null for a constant x. */
export function lineFit(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): { readonly slope: number; readonly intercept: number; readonly r2: number | null } | null {
  const mx = mean(x);
  const my = mean(y);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < x.length; k++) {
    xx += (x[k]! - mx) * (x[k]! - mx);
    xy += (x[k]! - mx) * (y[k]! - my);
    yy += (y[k]! - my) * (y[k]! - my);
  }
  if (!varies(xx, x.length, mx)) return null;
  const slope = xy / xx;
  return { slope, intercept: my - slope * mx, r2: varies(yy, y.length, my) ? (xy * xy) / (xx * yy) : null };
}

/** False for n numbers that are equal on paper: their sum of squares around the mean is a rest of rounding. */
const varies = (squares: number, n: number, m: number): boolean => squares > 1e-20 * n * m * m;
