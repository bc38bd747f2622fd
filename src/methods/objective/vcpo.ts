import { exp } from '../../core/fmath.ts';
import { mean, std } from '../../core/stats.ts';
import { essLearningRateFactor } from '../analysis/ess.ts';

/** Below this spread the returns of a group are not divided. */
const NO_SPREAD = 1e-8;

/** w̃ = min(w, cap) of a trajectory with log-weight λ = Σ Δ: what multiplies its gradient. Never overflows. */
export function truncatedWeight(logWeight: number, logCap: number): number {
  return exp(logWeight < logCap ? logWeight : logCap);
}

/** Factor on the learning rate of one optimizer step: √min(1, ess/ess₀), or min(1, ess/ess₀); ess = ESS/B. */
export function stepFactor(ess: number, baseEss: number, rule: 'sqrt' | 'linear'): number {
  return rule === 'sqrt' ? essLearningRateFactor(ess, baseEss) : Math.min(1, ess / baseEss);
}

/**
 * Off-policy baseline of least variance of one group (VCPO, arXiv 2602.17616):
 *
 *   b = Σ W R / Σ W      paper: W = w²·‖∇ log π(τ)‖²      code: W = w²·w̃²·‖∇ log π(τ)‖²
 *
 * `scoreNormSq` = 1 everywhere gives the w²-weighted mean. Weights are shifted by their largest, so none overflows.
 * Groups in which no score has a length have b = mean R: nothing there moves the policy.
 */
export function varianceBaseline(
  R: ArrayLike<number>,
  logWeight: ArrayLike<number>,
  scoreNormSq: ArrayLike<number>,
  form: 'paper' | 'code',
  logCap: number,
): number {
  const power = Array.from(logWeight, (x) => 2 * x + (form === 'code' ? 2 * Math.min(x, logCap) : 0));
  let top = -Infinity;
  power.forEach((x, i) => {
    if (scoreNormSq[i]! > 0 && x > top) top = x;
  });
  if (top === -Infinity) return mean(R);
  let total = 0;
  let weighted = 0;
  power.forEach((x, i) => {
    if (!(scoreNormSq[i]! > 0)) return;
    const W = exp(x - top) * scoreNormSq[i]!;
    total += W;
    weighted += W * R[i]!;
  });
  return weighted / total;
}

/** (R − b)/σ of every member of a group: population std, no ε; no division where σ ≤ 1e-8. */
export function baselineCredit(R: ArrayLike<number>, baseline: number): Float64Array {
  const sigma = std(R, true);
  return Float64Array.from(R, (r) => (r - baseline) / (sigma > NO_SPREAD ? sigma : 1));
}
