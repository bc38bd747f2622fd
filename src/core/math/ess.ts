import { exp } from '../fmath.ts';
import { ratioOf } from './ratio.ts';

/**
 * Effective sample size of log-weights λ (spec metrics §2), shifted by their maximum so that nothing overflows:
 *
 *   e_j = exp(λ_j − max λ)     ESS = (Σe)² / Σe²   between 1 and n
 */
export function effectiveSampleSize(logWeights: ArrayLike<number>): number {
  const max = largest(logWeights);
  let total = 0;
  let squares = 0;
  for (let j = 0; j < logWeights.length; j++) {
    const e = exp(logWeights[j]! - max);
    total += e;
    squares += e * e;
  }
  return (total * total) / squares;
}

/** ESS/n, the charted share, between 1/n and 1. NaN for no weights. */
export function essFromLogWeights(logWeights: ArrayLike<number>): number {
  return effectiveSampleSize(logWeights) / logWeights.length;
}

/** ESS/n with weights cut at `cap`: what a truncated estimator really sees. `logCap` = log cap. */
export function essClipped(logWeights: ArrayLike<number>, logCap: number): number {
  return essFromLogWeights(Float64Array.from(logWeights, (x) => Math.min(x, logCap)));
}

/** Largest share max w / Σw. */
export function largestShare(logWeights: ArrayLike<number>): number {
  const max = largest(logWeights);
  let total = 0;
  for (let j = 0; j < logWeights.length; j++) total += exp(logWeights[j]! - max);
  return 1 / total;
}

/** Mean weight, the logarithms held within ±20: near 1 for samples of the old policy, whatever the effective size says. */
export function meanWeight(logWeights: ArrayLike<number>): number {
  let total = 0;
  for (let j = 0; j < logWeights.length; j++) total += ratioOf(logWeights[j]!);
  return total / logWeights.length;
}

/** Mean over groups of ESS/n among the members of each; `groups` holds indices of log-weights. NaN without groups. */
export function essOfGroups(logWeights: ArrayLike<number>, groups: readonly (readonly number[])[]): number {
  let total = 0;
  for (const group of groups) total += essFromLogWeights(group.map((i) => logWeights[i]!));
  return total / groups.length;
}

/** Factor √min(1, ess/ess₀) by which a step can be shortened when few samples count (VCPO). */
export function essLearningRateFactor(ess: number, baseEss: number): number {
  return Math.sqrt(Math.min(1, ess / baseEss));
}

function largest(x: ArrayLike<number>): number {
  let max = -Infinity;
  for (let j = 0; j < x.length; j++) if (x[j]! > max) max = x[j]!;
  return max;
}
