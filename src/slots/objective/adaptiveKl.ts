/**
 * Adaptive coefficient (Ziegler et al., arXiv 1909.08593): β·(1 + clip(KL/target − 1, ±0.2)·n/horizon),
 * n = trajectories since the last call.
 */
export function adaptKlCoefficient(beta: number, kl: number, target: number, n: number, horizon: number): number {
  const error = Math.max(-0.2, Math.min(0.2, kl / target - 1));
  return beta * (1 + (error * n) / horizon);
}
