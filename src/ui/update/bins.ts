/** Counts of values in equal bins; the last edge belongs to the last bin. */
export type Bins = { readonly low: number; readonly high: number; readonly counts: readonly number[] };

/** Differences below this share are rounding. */
const ROUNDING = 1e-5;

/** At most `most` bins from the smallest to the largest value; one bin where all are equal up to rounding. */
export function binsOf(values: ArrayLike<number>, most = 21): Bins {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]!);
    high = Math.max(high, values[k]!);
  }
  if (values.length === 0) return { low: 0, high: 0, counts: [0] };
  if (!(high - low > ROUNDING * Math.max(1, Math.abs(low), Math.abs(high))))
    return { low, high: low, counts: [values.length] };
  const counts = new Array<number>(most).fill(0);
  for (let k = 0; k < values.length; k++)
    counts[Math.min(most - 1, Math.floor((most * (values[k]! - low)) / (high - low)))]!++;
  return { low, high, counts };
}

/** Middle of a bin. */
export const middleOf = ({ low, high, counts }: Bins, k: number): number =>
  low + ((k + 0.5) * (high - low)) / counts.length;

/** The different values with their counts, ascending; null if there are more than `most`. */
export function fewValues(values: ArrayLike<number>, most = 5): [value: number, count: number][] | null {
  const counts = new Map<number, number>();
  for (let k = 0; k < values.length; k++) {
    counts.set(values[k]!, (counts.get(values[k]!) ?? 0) + 1);
    if (counts.size > most) return null;
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}
