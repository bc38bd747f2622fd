import { settings, type ValuesOf } from '../../core/settings.ts';
import type { Coefficient, Unit, UnitSet } from '../types.ts';
import { spansOf, sumsOf, taskGroups } from './episodes.ts';
import { pairLoss, type Pair } from './preference.ts';
import type { PairForm } from './types.ts';

/** Settings that all objectives learning from comparisons share. */
export const comparing = settings({
  length: {
    kind: 'choice',
    label: 'Score of an episode',
    default: 'sum',
    options: ['sum', 'mean'],
    optionLabels: ['sum over its actions', 'mean over its actions'],
    doc: 'Sums of log-probabilities favor short episodes; means remove the effect of length.',
  },
  maxPairs: {
    kind: 'integer',
    label: 'Pairs per group',
    default: 64,
    min: 1,
    max: 4096,
    scale: 'log',
    doc: 'Largest number of pairs per task group; if there are more, evenly spaced ones are kept.',
  },
});

/** Pairs of a group, the larger return wins and equal ones make none; at most `maxPairs`, evenly spaced among all. */
export function pairsOf(
  group: readonly number[],
  R: ArrayLike<number>,
  maxPairs: number,
  weightOf: (gap: number) => number,
): Pair[] {
  const all: Pair[] = [];
  group.forEach((i, at) => {
    for (const j of group.slice(at + 1)) {
      const gap = R[i]! - R[j]!;
      if (gap === 0) continue;
      all.push({
        winner: gap > 0 ? i : j,
        loser: gap > 0 ? j : i,
        weight: Number.isNaN(gap) ? NaN : weightOf(Math.abs(gap)),
      });
    }
  });
  if (all.length <= maxPairs) return all;
  return Array.from({ length: maxPairs }, (_, k) => all[Math.floor((k * all.length) / maxPairs)]!);
}

/**
 * Marks every unit with κ = B·∂Loss/∂log π, B trajectories in the minibatch: what the aggregation `seqMeanUnitSum`
 * (w = 1/B) turns into the gradient of the pair loss. Returns the loss.
 */
export function markComparisons(
  { trajectory, outcome, task, delta, logp }: UnitSet,
  { maxPairs, scale, lambda, target, byGap, mean, ofLogp }: PairForm,
  mark: Float64Array,
): number {
  const spans = spansOf(trajectory);
  const { ids, starts } = spans;
  const share = (k: number): number => (mean ? 1 / (starts[k + 1]! - starts[k]!) : 1);
  const score = sumsOf(ofLogp ? logp : delta, spans).map((sum, k) => sum * share(k));
  const weightOf = (gap: number): number => (byGap ? 1 + gap : 1);
  const R = ids.map((i) => outcome[i]!);
  const pairs = taskGroups(ids, task).flatMap((group) => pairsOf(group, R, maxPairs, weightOf));
  const { loss, slope } = pairLoss(score, pairs, scale, lambda, target);
  slope.forEach((x, k) => mark.fill(ids.length * x * share(k), starts[k], starts[k + 1]));
  return loss;
}

/** The rest of an objective whose survey marks every unit with its κ: constant slope, so that Σ wℓ has the gradient of the loss of all. */
export const markedForm = {
  coefficient({ mark = 0, logp }: Unit, _params: unknown, out: Coefficient): void {
    out.loss = mark * logp;
    out.kappa = mark;
    out.clip = 0;
  },
  wgsl: `// p = (unused, unused, unused, κ of the unit)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  return vec3f(p.w * logp, p.w, 0.0);
}
`,
  uniforms: (): readonly [number, number, number, number] => [0, 0, 0, 0],
};

/** The marks of an objective of pairs, by the survey and by a device. */
export const markedPairs = <V extends ValuesOf<typeof comparing>>(
  formOf: (values: V) => Omit<PairForm, 'maxPairs' | 'mean'>,
) => {
  const whole = (values: V): PairForm => ({
    ...formOf(values),
    maxPairs: values.maxPairs,
    mean: values.length === 'mean',
  });
  return {
    survey(set: UnitSet, values: V, mark: Float64Array): void {
      markComparisons(set, whole(values), mark);
    },
    marks: (values: V) => ({ of: 'pairs', form: whole(values) }) as const,
  };
};

/** The rest of objectives that compare the returns of whole episodes of a task group. */
export const comparedForm = {
  ...markedForm,
  readsReturns: (): boolean => true,
  average: () => 'seqMeanUnitSum' as const,
  wholeGroups: true,
};
