import { exp, log } from './fmath.ts';

/** How the value clip enters: not at all, the larger of both losses (PPO), or their mean (SAFE). */
export type ValueMode = 'plain' | 'max' | 'mean';

/** Loss of one value and its derivative by the new value, before any weight. */
export type ValueTerm = { loss: number; gradient: number };

/**
 * Loss of a critic with clip and Huber form (spec objective §3).
 *
 *   e = V − target     V_c = V_old + clamp(V − V_old, ±ε_v)     f(e) = ½e², Huber: δ(|e| − ½δ) beyond |e| = δ
 *   plain f(e)     max max(f(e), f(V_c − target))     mean ½(f(e) + f(V_c − target))
 *
 * Where the clamp is active the clipped branch has derivative 0. `delta` = 0 means no Huber form. Writes `out`.
 */
export function valueTerm(
  V: number,
  VOld: number,
  target: number,
  clip: number,
  mode: ValueMode,
  delta: number,
  out: ValueTerm,
): void {
  const e = V - target;
  const loss = errorLoss(e, delta);
  const slope = errorSlope(e, delta);
  out.loss = loss;
  out.gradient = slope;
  if (mode === 'plain') return;
  const move = V - VOld;
  const isHeld = move > clip || move < -clip;
  const eHeld = isHeld ? VOld + (move > 0 ? clip : -clip) - target : e;
  const lossHeld = errorLoss(eHeld, delta);
  const slopeHeld = isHeld ? 0 : slope;
  if (mode === 'mean') {
    out.loss = 0.5 * (loss + lossHeld);
    out.gradient = 0.5 * (slope + slopeHeld);
  } else if (lossHeld > loss) {
    out.loss = lossHeld;
    out.gradient = slopeHeld;
  }
}

function errorLoss(e: number, delta: number): number {
  const size = e < 0 ? -e : e;
  return delta > 0 && size > delta ? delta * (size - 0.5 * delta) : 0.5 * e * e;
}

function errorSlope(e: number, delta: number): number {
  if (delta > 0 && e > delta) return delta;
  if (delta > 0 && e < -delta) return -delta;
  return e;
}

const shared: ValueTerm = { loss: 0, gradient: 0 };

/** The form of a critic's loss: ε_v (0 = no clip), how the clip enters, δ of the Huber form (0 = squares). */
export type ValueLoss = { readonly clip: number; readonly mode: ValueMode; readonly delta: number };

/** The critic's loss in training. The result is overwritten by the next call. */
export function valueGradient(V: number, VOld: number, target: number, form: ValueLoss): Readonly<ValueTerm> {
  const { clip, mode, delta } = form;
  valueTerm(V, VOld, target, clip, clip > 0 ? mode : 'plain', delta, shared);
  return shared;
}

/** α of SAFE. */
export const SOFT_MIN_ALPHA = 0.3;

/**
 * Double soft-min critic (SAFE, arXiv 2602.04651): V = −α·log(½(e^(−V₁/α) + e^(−V₂/α))), between the smaller and the
 * mean of both, with ∂V/∂V₁ = e^(−V₁/α)/(e^(−V₁/α) + e^(−V₂/α)) as `weight1`. Shifted by the smaller: nothing overflows.
 */
export function softMin(V1: number, V2: number, alpha: number): { readonly V: number; readonly weight1: number } {
  const low = V1 < V2 ? V1 : V2;
  const e1 = exp((low - V1) / alpha);
  const e2 = exp((low - V2) / alpha);
  return { V: low - alpha * log(0.5 * (e1 + e2)), weight1: e1 / (e1 + e2) };
}
