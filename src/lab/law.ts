import { fitLaw, type LawFit } from './analysis/law.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { Plan } from '../engine/plan.ts';
import type { Series } from '../engine/series.ts';
import { liveAt, resetsReference } from '../engine/story.ts';

/** Evaluations of one seed with the entropy of the same update, and what the entropy law makes of them. */
export type LawView = { readonly entropy: Float32Array; readonly success: Float32Array; readonly fit: LawFit | null };

/** Success of an evaluation lies in here, whatever the rewards. */
const RANGE = { lowest: 0, highest: 1 };

/** `whole`: the plan of the whole experiment, as a bonus or a reset counts at whatever update, before a fork too. */
export function lawOf(whole: Plan, series: Series, replica: number): LawView {
  const entropy: number[] = [];
  const success: number[] = [];
  let entropyBonus = false;
  let reset = false;
  for (let u = 0; u < series.length; u++) {
    const at = (id: MetricId): number => series.at(u, replica, metricIndex[id]);
    entropyBonus ||= at('entropyCoef') > 0 || liveAt(whole, u).entropyCoef !== 0;
    reset ||= at('resets') > 0 || resetsReference(whole, u);
    const [H, R] = [at('entropy'), at('evalSuccess')];
    if (Number.isNaN(R) || Number.isNaN(H)) continue;
    entropy.push(H);
    success.push(R);
  }
  const fit = fitLaw(entropy, success, { entropyBonus, reset, ...RANGE });
  return { entropy: Float32Array.from(entropy), success: Float32Array.from(success), fit };
}
