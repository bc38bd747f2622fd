import { fitLaw, type LawFit } from './analysis/law.ts';
import type { Plan } from '../engine/plan.ts';
import type { Series } from '../engine/series.ts';
import { liveAt, resetsReference } from '../engine/story.ts';

/** Evaluations of one seed with the entropy of the same update, and what the entropy law makes of them. */
export type LawView = { readonly entropy: Float32Array; readonly success: Float32Array; readonly fit: LawFit | null };

/** Success of an evaluation lies in here, whatever the rewards. */
const RANGE = { lowest: 0, highest: 1 };

type Settings = { until: number; bonusAt: number; resetAt: number };
/** First updates with an entropy bonus and with a reset by the settings of a plan, looked for up to `until`. */
const known = new WeakMap<Plan, Settings>();

function settingsUntil(whole: Plan, updates: number): Settings {
  let found = known.get(whole);
  if (!found) known.set(whole, (found = { until: 0, bonusAt: Infinity, resetAt: Infinity }));
  for (; found.until < updates; found.until++) {
    const u = found.until;
    if (liveAt(whole, u).entropyCoef !== 0) found.bonusAt = Math.min(found.bonusAt, u);
    if (resetsReference(whole, u)) found.resetAt = Math.min(found.resetAt, u);
  }
  return found;
}

/** `whole`: the plan of the whole experiment, as a bonus or a reset counts at whatever update, before a fork too. */
export function lawOf(whole: Plan, series: Series, replica: number): LawView {
  const entropy: number[] = [];
  const success: number[] = [];
  const { bonusAt, resetAt } = settingsUntil(whole, series.length);
  const entropyBonus = series.wasAbove0('entropyCoef', replica) || bonusAt < series.length;
  const reset = series.wasAbove0('resets', replica) || resetAt < series.length;
  for (const evaluation of series.evaluations()) {
    const [H, R] = [evaluation.entropy[replica]!, evaluation.success[replica]!];
    if (Number.isNaN(R) || Number.isNaN(H)) continue;
    entropy.push(H);
    success.push(R);
  }
  const fit = fitLaw(entropy, success, { entropyBonus, reset, ...RANGE });
  return { entropy: Float32Array.from(entropy), success: Float32Array.from(success), fit };
}
