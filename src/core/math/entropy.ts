import { exp, log } from '../fmath.ts';

/** Sizes of the units of a batch: [steps, tokens], of step k the first tokenCount[k] tokens are real. */
export type TokenLayout = { readonly tokens: number; readonly tokenCount: ArrayLike<number> };

export type EntropyStats = {
  /** [steps] Σ over the tokens of the action: one-sample estimate of the joint entropy */
  readonly perAction: Float64Array;
  readonly meanPerAction: number;
  readonly meanPerToken: number;
  /** mean over units of H / log(#legal); one legal action counts as 0 */
  readonly normalized: number;
};

/**
 * Averages of unit entropies in nats (spec metrics §1). entropy, legalCount: [steps*tokens].
 * NaN without units.
 */
export function entropyStats(
  entropy: ArrayLike<number>,
  legalCount: ArrayLike<number>,
  layout: TokenLayout,
): EntropyStats {
  const steps = layout.tokenCount.length;
  const perAction = new Float64Array(steps);
  let total = 0;
  let share = 0;
  let units = 0;
  for (let k = 0; k < steps; k++) {
    for (let l = 0; l < layout.tokenCount[k]!; l++) {
      const u = k * layout.tokens + l;
      perAction[k]! += entropy[u]!;
      if (legalCount[u]! > 1) share += entropy[u]! / log(legalCount[u]!);
      units++;
    }
    total += perAction[k]!;
  }
  return { perAction, meanPerAction: total / steps, meanPerToken: total / units, normalized: share / units };
}

/** Entropy of p ∝ π^temperature, π [n, actions] at a flat step: that of a policy whose logits were divided by it. */
export function plainEntropy(probs: ArrayLike<number>, actions: number, step: number, temperature: number): number {
  let z = 0;
  let dot = 0;
  for (let b = 0; b < actions; b++) {
    const p = probs[step * actions + b]!;
    if (p === 0) continue;
    const l = temperature * log(p);
    z += exp(l);
    dot += exp(l) * l;
  }
  return log(z) - dot / z;
}

/** Mean action entropy of the steps at t = 0 … positions − 1; a position without steps is 0. */
export function entropyPerPosition(
  perAction: ArrayLike<number>,
  position: ArrayLike<number>,
  positions: number,
): Float64Array {
  const mean = new Float64Array(positions);
  const count = new Float64Array(positions);
  for (let k = 0; k < position.length; k++) {
    mean[position[k]!]! += perAction[k]!;
    count[position[k]!]!++;
  }
  return mean.map((total, t) => (count[t]! > 0 ? total / count[t]! : 0));
}

/** Entropy of the mean of π(·|o) over steps: π is [n, actions] at the given flat steps. NaN without steps. */
export function marginalEntropy(probs: ArrayLike<number>, actions: number, steps: ArrayLike<number>): number {
  const sums = new Float64Array(actions);
  for (let k = 0; k < steps.length; k++) for (let b = 0; b < actions; b++) sums[b]! += probs[steps[k]! * actions + b]!;
  let H = 0;
  for (const sum of sums) {
    const p = sum / steps.length;
    if (p > 0) H -= p * log(p);
  }
  return steps.length > 0 ? H : NaN;
}
