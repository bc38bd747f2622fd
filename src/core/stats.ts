/**
 * The normalization primitives shared by every estimator, and small statistics.
 * Sums run in index order in f64, so results are equal on every machine.
 */

/** Added to a standard deviation, never to a variance. */
export const EPSILON = 1e-6;
/** A set whose spread is at most this, relative to max(1, max|x|), counts as all equal. */
export const SPREAD = 1e-5;

/** True when a comparison inside the set can say nothing: fewer than two members, or all equal in f32 terms. */
export function isDegenerate(x: ArrayLike<number>): boolean {
  if (x.length < 2) return true;
  let low = Infinity;
  let high = -Infinity;
  let size = 1;
  for (let i = 0; i < x.length; i++) {
    const value = x[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
    const magnitude = Math.abs(value);
    if (magnitude > size) size = magnitude;
  }
  return high - low <= SPREAD * size;
}

/** Σ x in index order; 0 for an empty list. */
export function sum(x: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]!;
  return total;
}

/** Are all of them numbers, and none infinite? `every` makes an object of each number of a typed array. */
export function areFinite(x: ArrayLike<number>): boolean {
  for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i]!)) return false;
  return true;
}

/** Σ x / n; NaN for an empty list. */
export function mean(x: ArrayLike<number>): number {
  return sum(x) / x.length;
}

/** Standard deviation in two passes. Sample form (n − 1) unless `population`. */
export function std(x: ArrayLike<number>, population = false): number {
  const m = mean(x);
  let squares = 0;
  for (let i = 0; i < x.length; i++) squares += (x[i]! - m) * (x[i]! - m);
  return Math.sqrt(squares / (population ? x.length : x.length - 1));
}

export type NormalizeMode = 'std' | 'mean';

/**
 * Normalize(S): 0 for a degenerate set, else (x − mean) / (std + 1e-6), or x − mean in mode 'mean'.
 * The set decides by its spread, not by equality: returns equal on paper differ in the last bits of f32.
 */
export function normalize(x: ArrayLike<number>, mode: NormalizeMode = 'std', population = false): Float64Array {
  const result = new Float64Array(x.length);
  if (isDegenerate(x)) return result;
  const m = mean(x);
  const scale = mode === 'std' ? 1 / (std(x, population) + EPSILON) : 1;
  for (let i = 0; i < x.length; i++) result[i] = (x[i]! - m) * scale;
  return result;
}

/** LeaveOneOut(S): x − mean of the other members; 0 for a degenerate set. */
export function leaveOneOut(x: ArrayLike<number>): Float64Array {
  const n = x.length;
  const result = new Float64Array(n);
  if (isDegenerate(x)) return result;
  const total = sum(x);
  for (let i = 0; i < n; i++) result[i] = (n * x[i]! - total) / (n - 1);
  return result;
}

/** Quantile by linear interpolation between order statistics (numpy's default, type 7). `sorted` ascending, not empty. */
export function quantileSorted(sorted: ArrayLike<number>, q: number): number {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

/** Interquartile mean: drop ⌊n/4⌋ scores on each side, mean of the rest (rliable, arXiv 2108.13264). */
export function iqm(x: ArrayLike<number>): number {
  const sorted = Float64Array.from(x).sort();
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.subarray(cut, sorted.length - cut));
}
