import { mean } from '../../core/stats.ts';
import { settings, type ValuesOf } from '../../core/settings.ts';
import { defineObjective, type UnitSet } from '../types.ts';
import { alolTerm } from './alol.ts';
import { comparedForm } from './comparisons.ts';
import { spansOf, sumsOf, taskGroups } from './episodes.ts';

const params = settings({
  form: {
    kind: 'choice',
    label: 'Ratio',
    default: 'trajectory',
    options: ['refFree', 'trajectory', 'perUnit', 'kl'],
    optionLabels: ['none', 'of the whole episode', 'of each action', 'none, with a KL term'],
    doc: 'The weight of an episode that the current policy would produce more or less often.',
  },
  eps: {
    kind: 'number',
    label: 'ε',
    default: 0.9,
    min: 0,
    max: 1,
    doc: 'Ratios are held between 1 − ε and 1 + ε; they are weights and pass no gradient.',
    formula: 'clip(ρ, 1 ± ε)',
    when: { setting: 'form', is: ['trajectory', 'perUnit'] },
  },
  beta: {
    kind: 'number',
    label: 'β',
    default: 0.05,
    min: 0,
    max: 1,
    doc: 'Weight of the KL term. On fixed data it pushes every action down by the same amount.',
    formula: '+ β Σ Δ',
    when: { setting: 'form', is: ['kl'] },
  },
});

function survey(set: UnitSet, { form, eps, beta }: ValuesOf<typeof params>, mark: Float64Array): void {
  const spans = spansOf(set.trajectory);
  const { ids, starts } = spans;
  const sums = sumsOf(set.delta, spans);
  const R = ids.map((i) => set.outcome[i]!);
  const out = { loss: 0, kappa: 0 };
  for (const group of taskGroups(ids, set.task)) {
    const baseline = mean(group.map((k) => R[k]!));
    for (const k of group) {
      const positive = Math.max(0, R[k]! - baseline);
      for (let u = starts[k]!; u < starts[k + 1]!; u++) {
        alolTerm(form, { positive, logp: set.logp[u]!, deltaRef: set.delta[u]!, sum: sums[k]! }, eps, beta, out);
        mark[u] = out.kappa;
      }
    }
  }
}

/**
 * A-LoL (arXiv 2305.14718) on sampled episodes: A⁺ = max(0, R − mean of the task group), ratios against the policy that
 * sampled, detached.
 *
 *   refFree κ = −A⁺      trajectory κ = −A⁺·clip(Π ρ, 1 ± ε)      perUnit κ = −A⁺·clip(ρ, 1 ± ε)
 *   kl      κ = −A⁺ + β: no trust region, it lowers the likelihood of whatever was sampled
 *
 * with `seqMeanUnitSum`. The paper draws positives from fixed data and has a learned V(task).
 */
export const alol = defineObjective({
  id: 'alol',
  title: 'A-LoL',
  rev: 1,
  source: { title: 'Advantage-Leftover Lunch RL', arxiv: '2305.14718', level: 'code' },
  formula: 'κ = −max(0, R − R̄)·clip(Π ρ, 1 ± ε)',
  look: 'Only episodes better than their group count: nothing is pushed down, and bad luck costs nothing.',
  params,
  ...comparedForm,
  survey,
  marks({ form, eps, beta }) {
    const held = (x: string): string => `clamp(exp(clamp(${x}, -20.0, 20.0)), f32(${1 - eps}), f32(${1 + eps}))`;
    const weight = { refFree: '1.0', kl: '1.0', trajectory: held('sum'), perUnit: held('delta') }[form];
    return {
      of: 'group',
      isOfAll: true,
      wgsl: `fn markOf(A: f32, sum: f32, logp: f32, delta: f32, isShown: bool) -> f32 {
  return -max(A, 0.0) * ${weight}${form === 'kl' ? ` + f32(${beta})` : ''};
}
`,
    };
  },
});
