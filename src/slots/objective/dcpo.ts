/** The entropy gap counts at most this much in α. */
const LARGEST_GAP = 0.1;

/** Temperature of the virtual target policy: warmer while entropy H is at most its target H₀, cooler above. */
export function targetTemperature(H: number, target: number): number {
  return H <= target ? 1.2 : 0.8;
}

/**
 * Share α of credit that comes from the virtual target (DCPO, arXiv 2601.12730):
 *
 *   α₀ = min(|H₀ − H|, 0.1)/p      α = α₀/(1 + α₀)      p: share of successful trajectories; α = 0 where none succeeded
 */
export function targetShare(H: number, target: number, p: number): number {
  if (p === 0) return 0;
  const raw = Math.min(Math.abs(target - H), LARGEST_GAP) / p;
  return raw / (1 + raw);
}

/**
 * A' = (1 − α)A + α·[the trajectory succeeded]·ϱ,   ϱ = π_old at temperature τ / π_old, of the sampled action.
 * PPO clip follows on A'.
 */
export function targetCredit(A: number, alpha: number, success: boolean, targetRatio: number): number {
  return (1 - alpha) * A + (success ? alpha * targetRatio : 0);
}
