import { CLIP, clipOf } from '../../core/math/clip.ts';
import { ratioOf } from '../../core/math/ratio.ts';
import type { Coefficient } from '../types.ts';

/** Credit and log ρ of a unit. */
export type RatioUnit = { readonly A: number; readonly delta: number };

const other = { A: 0, delta: 0 };
/** A unit that is clipped with another credit or ratio than its own; the same object every time. */
export function unitOf(A: number, delta: number): RatioUnit {
  other.A = A;
  other.delta = delta;
  return other;
}

/**
 * The clipped loss of PPO with separate bounds and its κ, into `out`:
 *
 *   ℓ = max(−Aρ, −A·clip(ρ, low, high)),   A < 0: ℓ ← min(ℓ, −A·dual)      κ = −Aρ, or 0 where ρ is held
 */
export function clippedTerm({ A, delta }: RatioUnit, low: number, high: number, dual: number, out: Coefficient): void {
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
