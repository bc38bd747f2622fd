import type { UnitSet } from '../types.ts';

/**
 * Values of the random policy instead of a policy gradient (ROVER, arXiv 2509.24981).
 *
 *   q_u = τ(log π(a_u) − log π_old(a_u))      y_u = r̃ + τ·(m(π) − m(π_old)) at the next unit, 0 after the last
 *   ℓ = (q_u − y_u)², y held      κ = 2τ(q_u − y_u)
 *
 * `meanChange` holds m(π) − m(π_old), m = mean of log π over the legal actions. Returns y.
 */
export function roverTarget(
  reward: Float64Array,
  meanChange: Float64Array,
  trajectory: UnitSet['trajectory'],
  tau: number,
): Float64Array {
  return reward.map((r, u) =>
    u + 1 < reward.length && trajectory[u + 1] === trajectory[u] ? r + tau * meanChange[u + 1]! : r,
  );
}

export function roverTerm(delta: number, target: number, tau: number, out: { loss: number; kappa: number }): void {
  const error = tau * delta - target;
  out.loss = error * error;
  out.kappa = 2 * tau * error;
}
