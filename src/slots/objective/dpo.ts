import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { comparedForm, comparing, markedPairs } from './comparisons.ts';
import type { PairForm } from './types.ts';

const params = settings({
  form: {
    kind: 'choice',
    label: 'Loss of a pair',
    default: 'logistic',
    options: ['logistic', 'squared'],
    optionLabels: ['logistic (DPO)', 'squared (IPO)'],
    doc: 'IPO pulls scores toward a distance of 1/(2β) and back from beyond it, so a pair that is always decided cannot run away.',
    formula: '(Λ̄_i − Λ̄_j − 1/(2β))²',
  },
  beta: {
    kind: 'number',
    label: 'β',
    default: 0.1,
    min: 0.001,
    max: 10,
    scale: 'log',
    doc: 'How far apart scores must be before a pair counts as learned; small values let the policy move further.',
    formula: 'σ(β(Λ̄_i − Λ̄_j))',
  },
  ...comparing,
  weights: {
    kind: 'choice',
    label: 'Weight of a pair',
    default: 'equal',
    options: ['equal', 'gap'],
    optionLabels: ['equal', '1 + difference of the returns'],
    doc: 'Weighted DPO gives clear decisions more weight.',
    formula: 'ω = 1 + |R_i − R_j|',
  },
});

function formOf({ form, beta, weights }: ValuesOf<typeof params>): Omit<PairForm, 'maxPairs' | 'mean'> {
  const [scale, target] = form === 'squared' ? [1, 1 / (2 * beta)] : [beta, null];
  return { scale, target, lambda: 1, byGap: weights === 'gap', ofLogp: false };
}

/**
 * DPO (arXiv 2305.18290), online: pairs i ≻ j of episodes of one task group, by return, and the policy that sampled them
 * as reference, Λ̄ = Σ Δ. Weighted pairs as in StepORLM (arXiv 2509.22558).
 *
 *   Loss = Σ ω·(−log σ(β(Λ̄_i − Λ̄_j))) / Σ ω      κ = B·∂Loss/∂log π, exact with `seqMeanUnitSum`
 *
 * IPO (arXiv 2310.12036): Σ ω·(Λ̄_i − Λ̄_j − 1/(2β))² / Σ ω; released code (TRL, AReaL) takes means for Λ̄.
 */
export const dpo = defineObjective({
  id: 'dpo',
  title: 'DPO (online)',
  rev: 1,
  source: { title: 'Direct Preference Optimization', arxiv: '2305.18290', level: 'text' },
  formula: 'κ = ∓β·σ(−β(Λ̄_i − Λ̄_j)) on winner and loser,  Λ̄ = Σ Δ',
  look: 'Online DPO: the reference is the policy that sampled the episodes, so all that counts is which one did better, and ties teach nothing.',
  params,
  ...comparedForm,
  ...markedPairs(formOf),
});
