import { exp } from '../../../core/fmath.ts';

/**
 * How likely each stored episode is to be drawn: ∝ exp(R̂/α), R̂ the returns stretched to 0 … 1; all alike where all returns are
 * equal. Sums to 1. (The released code weighs transitions, so that long episodes count once for every step: `stepWeights`.)
 */
export function trajectoryWeights(outcome: ArrayLike<number>, temperature: number): Float64Array {
  const n = outcome.length;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < n; i++) {
    low = Math.min(low, outcome[i]!);
    high = Math.max(high, outcome[i]!);
  }
  const weight = new Float64Array(n);
  // R̂ − 1 in place of R̂: the same weights, and none overflows
  for (let i = 0; i < n; i++) weight[i] = high > low ? exp(((outcome[i]! - low) / (high - low) - 1) / temperature) : 1;
  const total = weight.reduce((sum, w) => sum + w, 0);
  return weight.map((w) => w / total);
}

/** Chance of one step of each episode where steps are drawn in place of episodes: ∝ exp(R̂/α) for every step. */
export function stepWeights(outcome: ArrayLike<number>, length: ArrayLike<number>, temperature: number): Float64Array {
  const weight = trajectoryWeights(outcome, temperature);
  const total = weight.reduce((sum, w, i) => sum + w * length[i]!, 0);
  return weight.map((w) => w / total);
}
