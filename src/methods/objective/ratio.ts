import { exp } from '../../core/fmath.ts';

/** |Δ| beyond which a ratio counts as constant: e^20 ≈ 5·10⁸ (the guard of verl). */
export const LOG_RATIO_LIMIT = 20;

/** ρ = exp(clamp(Δ, −20, 20)). NaN stays NaN. */
export function ratioOf(delta: number): number {
  return exp(delta > LOG_RATIO_LIMIT ? LOG_RATIO_LIMIT : delta < -LOG_RATIO_LIMIT ? -LOG_RATIO_LIMIT : delta);
}

/** Why a unit has no gradient through its ratio; the numbers of `Coefficient.clip`. */
export const CLIP = { none: 0, high: 1, low: 2, dual: 3, guard: 4 } as const;

/**
 * The clip decision of PPO, strict: beyond the bound *and* pushed further.
 * high: A > 0, ρ > high · low: A < 0, ρ < low · dual: A < 0, ρ > dual · guard: |Δ| > 20, not clipped otherwise.
 */
export function clipOf(A: number, delta: number, low: number, high: number, dual: number): number {
  const ratio = ratioOf(delta);
  if (A > 0 && ratio > high) return CLIP.high;
  if (A < 0 && ratio < low) return CLIP.low;
  if (A < 0 && ratio > dual) return CLIP.dual;
  if (A !== 0 && (delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT)) return CLIP.guard;
  return CLIP.none;
}
