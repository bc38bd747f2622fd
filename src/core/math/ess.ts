import { exp, log } from '../fmath.ts';
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

/** Weights are cut at 8 where the question is what a truncated estimator sees (spec metrics §2). */
export const LOG_WEIGHT_CAP = log(8);

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

/** Log-weights of families in place of their members, and the groups of those. */
export type FamilyWeights = { readonly logWeights: Float64Array; readonly groups: readonly (readonly number[])[] };

/**
 * A family is one sample, which counts with the mean weight of its n members:
 *
 *   λ_f = log(1/n Σ_{j∈f} exp λ_j)
 *
 * `family` names the family of each member. Families come in the order of their first member; a family of one keeps its λ.
 */
export function familyWeights(
  logWeights: ArrayLike<number>,
  family: ArrayLike<number>,
  groups: readonly (readonly number[])[],
): FamilyWeights {
  const members = new Map<number, number[]>();
  for (let j = 0; j < logWeights.length; j++) {
    const found = members.get(family[j]!);
    if (found) found.push(logWeights[j]!);
    else members.set(family[j]!, [logWeights[j]!]);
  }
  const place = new Map([...members.keys()].map((f, k) => [f, k]));
  return {
    logWeights: Float64Array.from(members.values(), logMean),
    groups: groups.map((group) => [...new Set(group.map((j) => place.get(family[j]!)!))]),
  };
}

/** log(1/n Σ exp λ), shifted by the largest λ. */
function logMean(logWeights: readonly number[]): number {
  if (logWeights.length === 1) return logWeights[0]!;
  const max = largest(logWeights);
  let total = 0;
  for (const x of logWeights) total += exp(x - max);
  return max + log(total / logWeights.length);
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
