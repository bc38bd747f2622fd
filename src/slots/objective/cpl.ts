import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective } from '../types.ts';
import { comparedForm, comparing, markedPairs } from './comparisons.ts';
import type { PairForm } from './types.ts';

const params = settings({
  alpha: {
    kind: 'number',
    label: 'α',
    default: 0.1,
    min: 0.001,
    max: 10,
    scale: 'log',
    doc: 'Temperature of the comparison.',
    formula: 'σ(α(Λ_i − λΛ_j))',
  },
  lambda: {
    kind: 'number',
    label: 'λ',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Push on the rejected episode; below 1 it is pushed down less than the winner is pulled up.',
  },
  reference: {
    kind: 'choice',
    label: 'Score of an action',
    default: 'none',
    options: ['none', 'sampler'],
    optionLabels: ['log π', 'log π over the sampling policy'],
    doc: 'The KL form measures how far actions have moved; the released scripts use α 0.2 and λ 0.75.',
    formula: 'Λ = Σ log π or Λ̄ = Σ Δ',
  },
  ...comparing,
});

function formOf({ alpha, lambda, reference }: ValuesOf<typeof params>): Omit<PairForm, 'maxPairs' | 'mean'> {
  return { scale: alpha, lambda, target: null, byGap: false, ofLogp: reference === 'none' };
}

/**
 * CPL (arXiv 2310.13639): comparisons without a reference, Λ = Σ log π, pairs of one task group by return. The KL form
 * counts Λ̄ = Σ Δ, with the policy that sampled the episodes as reference.
 *
 *   Loss = mean of −log σ(α(Λ_i − λΛ_j))      κ = B·∂Loss/∂log π, exact with `seqMeanUnitSum`
 *
 * The paper compares segments of equal length after imitation; here whole episodes are compared.
 */
export const cpl = defineObjective({
  id: 'cpl',
  title: 'CPL',
  rev: 1,
  source: { title: 'Contrastive Preference Learning', arxiv: '2310.13639', level: 'code' },
  formula: 'κ = −α·σ(−x) on the winner, +αλ·σ(−x) on the loser,  x = α(Λ_i − λΛ_j),  Λ = Σ log π',
  look: 'No reference holds the policy back. Long episodes have low scores, so length matters too unless the mean is taken.',
  params,
  ...comparedForm,
  ...markedPairs(formOf),
});
