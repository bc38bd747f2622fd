/** A result that is remembered: what its level is like, the share of successes, and its age in updates. */
export type Result = { readonly phi: ArrayLike<number>; readonly success: number; readonly age: number };

/** d: what a result is worth after each update; c: how much the mean counts beside results. */
export type KernelRule = { readonly decay: number; readonly prior: number };

/** Mean and spread of each number of some descriptors; a spread of 0 becomes 1. */
export function scalesOf(list: readonly ArrayLike<number>[]): { readonly mean: number[]; readonly spread: number[] } {
  const D = list[0]?.length ?? 0;
  const mean = Array.from({ length: D }, (_, d) => list.reduce((sum, phi) => sum + phi[d]!, 0) / list.length);
  const spread = mean.map((m, d) => {
    const squares = list.reduce((sum, phi) => sum + (phi[d]! - m) ** 2, 0) / list.length;
    return Math.sqrt(squares) || 1;
  });
  return { mean, spread };
}

/**
 * Success of a level before it is played, from the results of levels like it:
 *
 *   p̂(x) = (c·p̄ + Σ_j k(x, x_j)·d^age_j·s_j) / (c + Σ_j k(x, x_j)·d^age_j),  k = exp(−‖φ(x) − φ(x_j)‖²/2)
 *
 * φ is standardized over the results; p̄ is their mean; ½ where there are none.
 */
export function predictedSuccess(phi: ArrayLike<number>, results: readonly Result[], rule: KernelRule): number {
  if (results.length === 0) return 0.5;
  const { spread } = scalesOf(results.map((r) => r.phi));
  const mean = results.reduce((sum, { success }) => sum + success, 0) / results.length;
  let [above, below] = [rule.prior * mean, rule.prior];
  for (const { phi: other, success, age } of results) {
    let square = 0;
    for (let d = 0; d < spread.length; d++) square += ((phi[d]! - other[d]!) / spread[d]!) ** 2;
    const k = Math.exp(-square / 2) * rule.decay ** age;
    above += k * success;
    below += k;
  }
  return above / below;
}

/** −s ln p − (1 − s) ln(1 − p), p kept away from 0 and 1. */
export function logLoss(p: number, s: number): number {
  const q = Math.min(0.99, Math.max(0.01, p));
  return -s * Math.log(q) - (1 - s) * Math.log(1 - q);
}
