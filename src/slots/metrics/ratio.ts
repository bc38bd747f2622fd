import { quantileSorted } from '../../core/stats.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import { clipOf, CLIP } from '../../core/math/clip.ts';

export type ClipFractions = {
  /** shares of units held by the clip: A > 0 above, A < 0 below */
  readonly clipHigh: number;
  readonly clipLow: number;
  /** share with A < 0 above the dual bound, and share outside [low, high] whatever the sign of A */
  readonly clipDual: number;
  readonly outside: number;
};

/** How often the ratio clip decides, over real units (spec metrics §3). NaN without units. */
export function clipFractions(
  delta: ArrayLike<number>,
  A: ArrayLike<number>,
  low: number,
  high: number,
  dual: number,
): ClipFractions {
  const count = [0, 0, 0, 0, 0];
  let outside = 0;
  for (let u = 0; u < delta.length; u++) {
    count[clipOf(A[u]!, delta[u]!, low, high, dual)]!++;
    const ratio = ratioOf(delta[u]!);
    if (ratio < low || ratio > high) outside++;
  }
  return {
    clipHigh: count[CLIP.high]! / delta.length,
    clipLow: count[CLIP.low]! / delta.length,
    clipDual: count[CLIP.dual]! / delta.length,
    outside: outside / delta.length,
  };
}

export type KlEstimates = { readonly k1: number; readonly k2: number; readonly k3: number };

/**
 * KL(π_old‖π_θ) from samples of π_old, Δ = log π_θ − log π_old of each unit:
 * k1 = −mean Δ (may be negative), k2 = ½·mean Δ², k3 = mean(e^Δ − 1 − Δ) ≥ 0 with Δ clamped to ±20.
 */
export function approxKl(delta: ArrayLike<number>): KlEstimates {
  let k1 = 0;
  let k2 = 0;
  let k3 = 0;
  for (let u = 0; u < delta.length; u++) {
    const d = delta[u]!;
    const held = Math.max(-LOG_RATIO_LIMIT, Math.min(LOG_RATIO_LIMIT, d));
    k1 -= d;
    k2 += 0.5 * d * d;
    k3 += ratioOf(d) - 1 - held;
  }
  return { k1: k1 / delta.length, k2: k2 / delta.length, k3: k3 / delta.length };
}

/** Mean and largest ρ over units. */
export function ratioStats(delta: ArrayLike<number>): { readonly mean: number; readonly max: number } {
  let total = 0;
  let max = -Infinity;
  for (let u = 0; u < delta.length; u++) {
    const ratio = ratioOf(delta[u]!);
    total += ratio;
    if (ratio > max) max = ratio;
  }
  return { mean: total / delta.length, max };
}

/** Quantiles of Δ (not of ρ) for the fan chart. */
export function deltaQuantiles(delta: ArrayLike<number>, quantiles: readonly number[]): number[] {
  const sorted = Float64Array.from(delta).sort();
  return quantiles.map((q) => quantileSorted(sorted, q));
}
