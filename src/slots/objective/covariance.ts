import { mean } from '../../core/stats.ts';

/**
 * c_u = (A_u − Ā)(log π_θ(a_u) − mean log π_θ) over the units of a minibatch (arXiv 2505.22617): pushing up what is
 * already probable and good is what burns entropy.
 */
export function covarianceTerms(A: Float64Array, logp: Float64Array): Float64Array {
  const meanA = mean(A);
  const meanLogp = mean(logp);
  return A.map((a, u) => (a - meanA) * (logp[u]! - meanLogp));
}

/** How many of n units are singled out: max(1, ⌊share·n⌋). */
export function shareCount(share: number, n: number): number {
  return Math.max(1, Math.floor(share * n));
}
