import { exp } from '../../core/fmath.ts';
import { mean, quantileSorted } from '../../core/stats.ts';
import { correlation } from '../../core/fidelity.ts';
import { lineFit } from './success.ts';

export type CovarianceStats = {
  /** population covariance of A and log π_θ(a) over real units; positive announces falling entropy */
  readonly covariance: number;
  readonly pearson: number | null;
  /** 90, 99 and 99.8 % quantiles of the per-unit terms */
  readonly top: readonly number[];
};

/** Covariance of credit and log-probability (arXiv 2505.22617): c_u = (A_u − Ā)(log π_u − mean log π). */
export function creditCovariance(A: ArrayLike<number>, logp: ArrayLike<number>): CovarianceStats {
  const mA = mean(A);
  const mL = mean(logp);
  const c = Float64Array.from(A, (a, u) => (a - mA) * (logp[u]! - mL));
  const sorted = Float64Array.from(c).sort();
  return {
    covariance: mean(c),
    pearson: correlation(A, logp),
    top: [0.9, 0.99, 0.998].map((q) => quantileSorted(sorted, q)),
  };
}

/**
 * The covariance alone, where a step k holds n_k units that share its A and whose log π add up to logp_k:
 *
 *   cov = Σ_k (A_k − Ā)(logp_k − n_k·l̄) / Σn     Ā = Σ n_k A_k / Σn     l̄ = Σ logp_k / Σn
 */
export function covariance(A: ArrayLike<number>, logp: ArrayLike<number>, units: ArrayLike<number>): number {
  let n = 0;
  let mA = 0;
  let mL = 0;
  for (let k = 0; k < A.length; k++) {
    n += units[k]!;
    mA += units[k]! * A[k]!;
    mL += logp[k]!;
  }
  mA /= n;
  mL /= n;
  let total = 0;
  for (let k = 0; k < A.length; k++) total += (A[k]! - mA) * (logp[k]! - units[k]! * mL);
  return total / n;
}

export type EntropyLaw = {
  readonly a: number;
  readonly b: number;
  readonly ceiling: number;
  /** null where performance is constant: there is nothing to explain */
  readonly r2: number | null;
};

/** Fit of R = −a·e^H + b (arXiv 2505.22617); `ceiling` = b − a is the predicted R at H = 0. Null for constant H. */
export function entropyLaw(entropy: ArrayLike<number>, performance: ArrayLike<number>): EntropyLaw | null {
  const fit = lineFit(Float64Array.from(entropy, exp), performance);
  if (!fit) return null;
  return { a: -fit.slope, b: fit.intercept, ceiling: fit.intercept + fit.slope, r2: fit.r2 };
}
