import { exp } from '../../core/fmath.ts';
import type { Coefficient } from '../types.ts';
import { CLIP, LOG_RATIO_LIMIT, ratioOf } from './ratio.ts';

/**
 * Groups that contain demonstrations (RL-PLUS, arXiv 2508.00222).
 *
 *   own rows            ℓ = −Aρ, unclipped
 *   demonstrated rows   ℓ = −A·√(1 − sg π)·2π/(1.5π_old + 0.5)      κ = ℓ: the ratio has the slope of π
 *
 * π, π_old: probability of the action now and at sampling. The paper's name for the 0.5 is a mix with a uniform policy;
 * the released code has the constant, and so has this.
 */
export function rlPlusTerm(A: number, logp: number, logpOld: number, isDemo: boolean, out: Coefficient): void {
  if (isDemo) {
    const p = exp(logp);
    out.loss = (-A * Math.sqrt(Math.max(0, 1 - p)) * 2 * p) / (1.5 * exp(logpOld) + 0.5);
    out.kappa = out.loss;
    out.clip = CLIP.none;
    return;
  }
  const delta = logp - logpOld;
  const isHeld = delta > LOG_RATIO_LIMIT || delta < -LOG_RATIO_LIMIT;
  out.loss = -A * ratioOf(delta);
  out.kappa = isHeld ? 0 : out.loss;
  out.clip = isHeld && A !== 0 ? CLIP.guard : CLIP.none;
}
