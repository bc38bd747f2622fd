import { log } from '../fmath.ts';

/**
 * How the behavior weights b = π_prox/π_old of a batch lie: units per bin, bins of equal width in log b from `low` to
 * `high`. These are the smallest and largest b, or 1 % around their middle where they are nearer, so that rounding is not
 * looked at under a lens. `capped`: share of units with b above the cap.
 */
export type WeightHistogram = {
  readonly low: number;
  readonly high: number;
  readonly units: Float64Array;
  readonly cap: number;
  readonly capped: number;
};

const BINS = 25;

/** `b` in order, at least one and all above 0. */
export function weightHistogram(b: Float64Array, cap: number): WeightHistogram {
  const [least, most] = [b[0]!, b.at(-1)!];
  const middle = Math.sqrt(least * most);
  const low = Math.min(least, middle / 1.01);
  const high = Math.max(most, middle * 1.01);
  const units = new Float64Array(BINS);
  const wide = log(high / low) / BINS;
  for (const x of b) units[Math.min(BINS - 1, Math.floor(log(x / low) / wide))]!++;
  return { low, high, units, cap, capped: b.filter((x) => x > cap).length / b.length };
}
