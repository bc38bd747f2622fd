import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { comparing, markComparisons, markedForm } from './comparisons.ts';

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
    doc: 'Pull on the rejected episode; below 1 it is pushed down less than the winner is pulled up.',
  },
  ...comparing,
});

function survey(set: UnitSet, values: ValuesOf<typeof params>, mark: Float64Array): void {
  const { alpha: scale, lambda } = values;
  markComparisons(set, values, { part: set.logp, scale, lambda, weightOf: () => 1 }, mark);
}

/**
 * CPL (arXiv 2310.13639): comparisons without a reference, Λ = Σ log π, pairs of one task group by return.
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
  look: 'No reference holds the policy: long episodes have low scores, so their length decides too unless the mean is taken.',
  params,
  wholeGroups: true,
  survey,
  ...markedForm,
});
