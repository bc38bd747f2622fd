import type { SlotConfig } from '../config/slots.ts';
import type { Batch } from '../core/batch.ts';
import { exp, log } from '../core/fmath.ts';
import { targetCredit, targetShare, targetTemperature } from '../methods/objective/dcpo.ts';
import { scaleNegativeCredit } from '../methods/objective/guiLibra.ts';
import type { Plan } from './plan.ts';

/** What is done to the credit between the advantage slot and the objective. */
export type CreditRevision = {
  /** GUI-Libra: b₀ and b₁; null: off */
  readonly negative: { readonly base: number; readonly slope: number } | null;
  /** DCPO: H₀ as a share of log(actions); null: off */
  readonly targetEntropy: number | null;
};

export function revisionOf(objective: SlotConfig): CreditRevision {
  return {
    negative:
      objective['negativeScale'] === true
        ? { base: objective['negativeBase'] as number, slope: objective['negativeSlope'] as number }
        : null,
    targetEntropy: objective['virtualTarget'] === true ? (objective['virtualEntropy'] as number) : null,
  };
}

export const isRevised = (r: CreditRevision): boolean => r.negative !== null || r.targetEntropy !== null;

/** Revises A [B, T] in place. probs: [B, T, actions] π_old. */
export function reviseCredit(
  { revision, actions }: Pick<Plan, 'revision' | 'actions'>,
  A: Float32Array,
  batch: Batch,
  probs: Float32Array,
): void {
  const { negative, targetEntropy } = revision;
  if (negative) A.set(scaleNegativeCredit(A, batch, negative.base, negative.slope));
  if (targetEntropy !== null) pullToTarget(A, batch, probs, actions, targetEntropy * log(actions));
}

/**
 * A' = (1 − α)A + α·[success]·ϱ with the virtual target of DCPO: ϱ = π^(τ)(a)/π(a), π^(τ) ∝ π^(1/τ), τ and α by the exact
 * entropy of the batch.
 */
function pullToTarget(A: Float32Array, batch: Batch, probs: Float32Array, actions: number, H0: number): void {
  const { B, T, length, success, entropy, action } = batch;
  let H = 0;
  let steps = 0;
  let wins = 0;
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < length[i]!; t++) H += entropy[i * T + t]!;
    steps += length[i]!;
    wins += success[i]!;
  }
  H /= steps;
  const tau = targetTemperature(H, H0);
  const alpha = targetShare(H, H0, wins / B);
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) {
      let total = 0;
      for (let b = 0; b < actions; b++) {
        const p = probs[k * actions + b]!;
        if (p > 0) total += exp(log(p) / tau);
      }
      const p = probs[k * actions + action[k]!]!;
      A[k] = targetCredit(A[k]!, alpha, success[i] === 1, exp(log(p) / tau) / total / p);
    }
  }
}
