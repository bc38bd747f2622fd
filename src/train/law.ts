import { eventsOf, RESET } from '../config/events.ts';
import type { Config } from '../config/slots.ts';
import { fitLaw, type LawFit } from '../methods/analysis/law.ts';
import { metricIndex, type MetricId } from '../methods/analysis/metrics.ts';
import type { Plan } from './plan.ts';
import type { Series } from './series.ts';

/** Evaluations of one seed with the entropy of the same update, and what the entropy law makes of them. */
export type LawView = { readonly entropy: Float32Array; readonly success: Float32Array; readonly fit: LawFit | null };

/** Success of an evaluation lies in here, whatever the rewards. */
const RANGE = { lowest: 0, highest: 1 };

/** `config`: the whole experiment, whose events may hold a reset by hand. */
export function lawOf(plan: Plan, series: Series, replica: number, config: Config = plan.config): LawView {
  const entropy: number[] = [];
  const success: number[] = [];
  let entropyBonus = plan.live.entropyCoef !== 0;
  let reset = eventsOf(config).some((e) => e.value === RESET && e.update < series.length);
  for (let u = 0; u < series.length; u++) {
    const at = (id: MetricId): number => series.at(u, replica, metricIndex[id]);
    if (at('entropyCoef') > 0) entropyBonus = true;
    if (at('resets') > 0) reset = true;
    const [H, R] = [at('entropy'), at('evalSuccess')];
    if (Number.isNaN(R) || Number.isNaN(H)) continue;
    entropy.push(H);
    success.push(R);
  }
  const fit = fitLaw(entropy, success, { entropyBonus, reset, ...RANGE });
  return { entropy: Float32Array.from(entropy), success: Float32Array.from(success), fit };
}
