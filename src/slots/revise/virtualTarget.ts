import { exp, log } from '../../core/fmath.ts';
import { settings } from '../../core/settings.ts';
import { targetCredit, targetShare, targetTemperature } from '../objective/dcpo.ts';
import { defineRevision } from './types.ts';

/**
 * A ← (1 − α)A + α·[success]·ϱ with the virtual target of DCPO: ϱ = π^(τ)(a)/π(a), π^(τ) ∝ π^(1/τ), τ and α by the exact
 * entropy of the batch and H₀ = `entropy`·log n.
 */
export const virtualTarget = defineRevision({
  id: 'virtualTarget',
  title: 'Virtual target',
  rev: 1,
  source: { title: 'DCPO', arxiv: '2601.12730', level: 'text' },
  needs: ['length', 'success', 'entropy', 'action', 'probs'],
  formula: 'A ← (1 − α)A + α·[success]·π^τ/π',
  look: 'Successes also pull toward a warmer or cooler copy of the policy.',
  caption: 'pulls the credit of successes toward a virtual target',
  params: settings({
    entropy: {
      kind: 'number',
      label: 'Target entropy',
      default: 0.3,
      min: 0,
      max: 1,
      unit: '× log n',
      doc: 'Below this entropy the copy is warmer (τ 1.2), above it cooler (τ 0.8).',
      formula: 'H₀',
    },
  }),
  wholeActions: true,
  run(A, { batch, probs, actions }, { entropy: share }) {
    const { B, T, length, success, entropy, action } = batch;
    const H0 = share * log(actions);
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
  },
  gpu: (ops, { entropy }) => ops.pullToTarget(entropy * log(ops.actions)),
});
