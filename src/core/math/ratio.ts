import { exp } from '../fmath.ts';

/** |Δ| beyond which a ratio counts as constant: e^20 ≈ 5·10⁸ (the guard of verl). */
export const LOG_RATIO_LIMIT = 20;

/** The last Δ and its ratio: the loss, the clip and the metrics of a unit ask for the same one. */
let last = 0;
let lastRatio = 1;

/** ρ = exp(clamp(Δ, −20, 20)). NaN stays NaN. */
export function ratioOf(delta: number): number {
  if (delta === last) return lastRatio;
  last = delta;
  lastRatio = exp(delta > LOG_RATIO_LIMIT ? LOG_RATIO_LIMIT : delta < -LOG_RATIO_LIMIT ? -LOG_RATIO_LIMIT : delta);
  return lastRatio;
}
