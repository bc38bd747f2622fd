import { exp } from '../fmath.ts';

/** |Δ| beyond which a ratio counts as constant: e^20 ≈ 5·10⁸ (the guard of verl). */
export const LOG_RATIO_LIMIT = 20;

/** ρ = exp(clamp(Δ, −20, 20)). NaN stays NaN. */
export function ratioOf(delta: number): number {
  return exp(delta > LOG_RATIO_LIMIT ? LOG_RATIO_LIMIT : delta < -LOG_RATIO_LIMIT ? -LOG_RATIO_LIMIT : delta);
}
