import type { Plan } from '../plan.ts';
import type { CpuPolicy, Learning } from './policy.ts';
import { accumulate, type Chunk } from './update.ts';

/** KL to the reference up to which a step is left alone, in nats. */
export const MOST_KL = 0.5;

/** What the step preview keeps of a step after which the KL to the reference is `kl`. */
export function shareOfStep(kl: number): number {
  return kl > MOST_KL ? MOST_KL / kl : 1;
}

/**
 * Step preview of SAFE (arXiv 2602.04651): the minibatch is looked at once more after its step, and a step that led too
 * far from the reference is cut, θ ← θ_before + share·(θ − θ_before). Moments stay those of the whole step. The paper has
 * it; the released code defines it and never calls it. Returns the share that was kept. `before` begins with θ_before.
 */
export function cutStep(
  plan: Plan,
  policy: CpuPolicy,
  chunk: Chunk,
  trajectories: Uint32Array,
  look: Learning,
  theta: Float32Array,
  before: Float32Array,
): number {
  accumulate(plan, policy, chunk, trajectories, look);
  const share = shareOfStep(look.tally.klRef / look.tally.steps);
  if (share < 1) for (let k = 0; k < theta.length; k++) theta[k] = before[k]! + share * (theta[k]! - before[k]!);
  return share;
}
