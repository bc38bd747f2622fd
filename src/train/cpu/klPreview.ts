/** KL to the reference up to which a step is left alone, in nats. */
export const MOST_KL = 0.5;

/** What the step preview keeps of a step after which the KL to the reference is `kl`. */
function shareOfStep(kl: number): number {
  return kl > MOST_KL ? MOST_KL / kl : 1;
}

/**
 * Step preview of SAFE (arXiv 2602.04651): the minibatch is looked at once more after its step, and a step that led too
 * far from the reference is cut, θ ← θ_before + share·(θ − θ_before). Moments stay those of the whole step. The paper has
 * it; the released code defines it and never calls it. `before` begins with θ_before, `kl` is that after the whole step.
 * Returns the share that was kept.
 */
export function cutStep(theta: Float32Array, before: Float32Array, kl: number): number {
  const share = shareOfStep(kl);
  if (share < 1) for (let k = 0; k < theta.length; k++) theta[k] = before[k]! + share * (theta[k]! - before[k]!);
  return share;
}
