import { PURPOSE } from '../../core/random.ts';
import { LOG_RATIO_LIMIT, ratioOf, USUAL_CLIP } from '../../methods/objective/ratio.ts';
import type { Coefficient } from '../../methods/types.ts';
import type { Plan } from '../plan.ts';
import type { Mode, Tally } from './policy.ts';

/** What the draws of actions are for. */
export const ACTION_PURPOSE: Readonly<Record<Mode, number>> = {
  train: PURPOSE.action,
  eval: PURPOSE.evalAction,
  greedy: PURPOSE.greedyAction,
  panel: PURPOSE.panelAction,
};

/**
 * Floats that a backend asks of its policy's kernels: parameters, their two moments, the reference, what training sees
 * and old versions for every replica; a mask policy; φ with its moments; and gradients.
 */
export function ownFloats({ S, layout, behaviour, objective }: Plan): number {
  return layout.size * (S * (9 + behaviour.lag + (objective.restricts ? 1 : 0)) + 3);
}

/** Adds one unit with log-ratio Δ and its coefficient to the sums. */
export function count(tally: Tally, w: number, delta: number, coefficient: Coefficient): void {
  const clamped = Math.max(-LOG_RATIO_LIMIT, Math.min(LOG_RATIO_LIMIT, delta));
  const ratio = ratioOf(clamped);
  tally.policyLoss += w * coefficient.loss;
  tally.approxKL += ratio - 1 - clamped;
  tally.ratioMax = Math.max(tally.ratioMax, ratio);
  if (coefficient.clip !== 0) tally.clipped++;
  tally.ratio += ratio;
  tally.delta += delta;
  tally.deltaSquares += delta * delta;
  tally.clips[coefficient.clip]!++;
  if (ratio < USUAL_CLIP.low || ratio > USUAL_CLIP.high) tally.outside++;
  tally.units++;
}
