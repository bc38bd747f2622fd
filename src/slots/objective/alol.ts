import { ratioOf } from '../../core/math/ratio.ts';

export type AlolForm = 'refFree' | 'trajectory' | 'perUnit' | 'kl';

/**
 * Offline policy gradient on fixed trajectories of π_ref (A-LoL, arXiv 2305.14718); A⁺ = max(0, R − V), one per trajectory,
 * Δr = log π_θ − log π_ref, weights detached, loss = mean over trajectories:
 *
 *   refFree     A⁺·Σ −log π
 *   trajectory  A⁺·clip(Π ρ, 1±ε)·Σ −log π
 *   perUnit     A⁺·Σ clip(ρ, 1±ε)·(−log π)
 *   kl          A⁺·Σ −log π + β Σ Δr, whose second part pushes down whatever the data hold
 *
 * `sum` = Σ Δr of the unit's trajectory.
 */
export function alolTerm(
  form: AlolForm,
  unit: { readonly positive: number; readonly logp: number; readonly deltaRef: number; readonly sum: number },
  eps: number,
  beta: number,
  out: { loss: number; kappa: number },
): void {
  const weight = form === 'trajectory' ? held(unit.sum, eps) : form === 'perUnit' ? held(unit.deltaRef, eps) : 1;
  out.kappa = -unit.positive * weight;
  out.loss = out.kappa * unit.logp;
  if (form !== 'kl') return;
  out.kappa += beta;
  out.loss += beta * unit.deltaRef;
}

function held(delta: number, eps: number): number {
  return Math.max(1 - eps, Math.min(1 + eps, ratioOf(delta)));
}
