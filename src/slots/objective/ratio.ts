import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import type { ClipBounds, Coefficient } from '../types.ts';

/** Why a unit has no gradient; the numbers of `Coefficient.clip`. `dropped`: the objective left the unit out. */
export const CLIP = { none: 0, high: 1, low: 2, dual: 3, guard: 4, dropped: 5 } as const;

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

/** The bounds of a clip on the ratio of each unit. */
export const unitClip = (low: number, high: number): ClipBounds => ({ low, high, of: [1, 0] });

/** The bounds by which methods without a clip are judged: ε 0.2 below, 0.28 above (clip-higher of DAPO). */
export const USUAL_CLIP: ClipBounds = unitClip(0.8, 1.28);

/** What a method without a clip is told of a unit: the kind of clip that the usual bounds would be. */
export function usualClipOf(A: number, delta: number): number {
  const clip = clipOf(A, delta, USUAL_CLIP.low, USUAL_CLIP.high, NEVER);
  return clip === CLIP.guard ? CLIP.none : clip;
}

/** Stands for "no bound"; small enough that A times it stays finite in f32. */
export const NEVER = 1e30;

/**
 * The clipped loss of PPO with separate bounds and its κ, into `out`:
 *
 *   ℓ = max(−Aρ, −A·clip(ρ, low, high)),   A < 0: ℓ ← min(ℓ, −A·dual)      κ = −Aρ, or 0 where ρ is held
 */
export function clippedTerm(A: number, delta: number, low: number, high: number, dual: number, out: Coefficient): void {
  const ratio = ratioOf(delta);
  const held = ratio < low ? low : ratio > high ? high : ratio;
  let loss = -A * ratio;
  if (-A * held > loss) loss = -A * held;
  if (A < 0 && -A * dual < loss) loss = -A * dual;
  const clip = clipOf(A, delta, low, high, dual);
  out.loss = loss;
  out.kappa = clip === CLIP.none ? -A * ratio : 0;
  out.clip = clip;
}

/** The same in WGSL: (ℓ, κ, clip) of `clipped(A, Δ, low, high, dual)`; a NaN in Δ passes through. */
export const CLIPPED_WGSL = `fn clipped(A: f32, delta: f32, low: f32, high: f32, dual: f32) -> vec3f {
  // clamp would turn a NaN into a number and hide it
  if ((bitcast<u32>(delta) & 0x7fffffffu) > 0x7f800000u) { return vec3f(delta, delta, 0.0); }
  let ratio = exp(clamp(delta, -20.0, 20.0));
  var loss = max(-A * ratio, -A * clamp(ratio, low, high));
  if (A < 0.0) { loss = min(loss, -A * dual); }
  var clip = 0.0;
  if (A > 0.0 && ratio > high) { clip = 1.0; }
  else if (A < 0.0 && ratio < low) { clip = 2.0; }
  else if (A < 0.0 && ratio > dual) { clip = 3.0; }
  else if (A != 0.0 && abs(delta) > 20.0) { clip = 4.0; }
  return vec3f(loss, select(0.0, -A * ratio, clip == 0.0), clip);
}
`;
