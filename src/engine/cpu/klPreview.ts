/**
 * A step after which the KL to the reference is more than `most` is cut, θ ← θ_before + share·(θ − θ_before), share =
 * min(1, most/KL). Moments stay those of the whole step. `before` begins with θ_before, `kl` is that after the whole step.
 * Returns the share that was kept.
 */
export function cutStep(theta: Float32Array, before: Float32Array, kl: number, most: number): number {
  const share = kl > most ? most / kl : 1;
  if (share < 1) for (let k = 0; k < theta.length; k++) theta[k] = before[k]! + share * (theta[k]! - before[k]!);
  return share;
}
