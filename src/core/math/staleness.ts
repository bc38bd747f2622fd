import { exp } from '../fmath.ts';
import { mean } from '../stats.ts';

export type StalenessStats = {
  /** units by age 0, 1, …; the last bin holds all that are older */
  readonly histogram: Float64Array;
  readonly mean: number;
  readonly max: number;
};

/** Ages of units, in updates: version(π_θ) − version that sampled (spec metrics §9). NaN without units. */
export function stalenessStats(version: number, behavior: ArrayLike<number>, bins: number): StalenessStats {
  const ages = Float64Array.from(behavior, (v) => version - v);
  const histogram = new Float64Array(bins);
  let max = NaN;
  for (const age of ages) {
    histogram[Math.min(age, bins - 1)]!++;
    max = Number.isNaN(max) ? age : Math.max(max, age);
  }
  return { histogram, mean: mean(ages), max };
}

/** Mean KL(rollout‖train) per decision and largest |Δ log π| over actions, of two rows of log-probabilities each. */
export function mismatchOf(
  rollout: ArrayLike<number>,
  train: ArrayLike<number>,
  actions: number,
): { readonly klRolloutTrain: number; readonly maxAbs: number } {
  const rows = rollout.length / actions;
  let kl = 0;
  let maxAbs = 0;
  for (let k = 0; k < rollout.length; k++) {
    const p = exp(rollout[k]!);
    kl += p * (rollout[k]! - train[k]!) + exp(train[k]!) - p;
    maxAbs = Math.max(maxAbs, Math.abs(rollout[k]! - train[k]!));
  }
  return { klRolloutTrain: kl / rows, maxAbs };
}
