/** Counts of values in equal bins; the last edge belongs to the last bin. */
export type Bins = { readonly low: number; readonly high: number; readonly counts: readonly number[] };

/** At most `most` bins from the smallest to the largest value; one bin where all are equal. */
export function binsOf(values: ArrayLike<number>, most = 21): Bins {
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k]!);
    high = Math.max(high, values[k]!);
  }
  if (!(high > low))
    return { low: values.length > 0 ? low : 0, high: values.length > 0 ? low : 0, counts: [values.length] };
  const counts = new Array<number>(most).fill(0);
  for (let k = 0; k < values.length; k++)
    counts[Math.min(most - 1, Math.floor((most * (values[k]! - low)) / (high - low)))]!++;
  return { low, high, counts };
}

/** Middle of a bin. */
export const middleOf = ({ low, high, counts }: Bins, k: number): number =>
  low + ((k + 0.5) * (high - low)) / counts.length;
