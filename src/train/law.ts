import { fitLaw, type LawFit } from '../methods/analysis/law.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import type { Plan } from './plan.ts';
import type { Series } from './series.ts';

/** Evaluations of one seed with the entropy of the same update, and what the entropy law makes of them. */
export type LawView = { readonly entropy: Float32Array; readonly success: Float32Array; readonly fit: LawFit | null };

/** Success of an evaluation lies in here, whatever the rewards. */
const RANGE = { lowest: 0, highest: 1 };

/** `entropyBonus`, `reset`: whether either happened in the run so far. */
export function lawOf(
  plan: Plan,
  series: Series,
  replica: number,
  facts: { readonly entropyBonus: boolean; readonly reset: boolean } = {
    entropyBonus: plan.live.entropyCoef !== 0,
    reset: false,
  },
): LawView {
  const entropy: number[] = [];
  const success: number[] = [];
  for (let u = 0; u < series.length; u++) {
    const R = series.at(u, replica, metricIndex.evalSuccess);
    const H = series.at(u, replica, metricIndex.entropy);
    if (Number.isNaN(R) || Number.isNaN(H)) continue;
    entropy.push(H);
    success.push(R);
  }
  const fit = fitLaw(entropy, success, { ...facts, ...RANGE });
  return { entropy: Float32Array.from(entropy), success: Float32Array.from(success), fit };
}
