import { settings, type ValuesOf } from '../../core/settings.ts';
import type { UnitSet } from '../types.ts';
import { pairLoss, type Pair } from './preference.ts';

/** Settings that all objectives learning from comparisons share. */
export const comparing = settings({
  length: {
    kind: 'choice',
    label: 'Score of an episode',
    default: 'sum',
    options: ['sum', 'mean'],
    optionLabels: ['sum over its actions', 'mean over its actions'],
    doc: 'Sums of log-probabilities favour short episodes; means take the length out.',
  },
  maxPairs: {
    kind: 'integer',
    label: 'Pairs per group',
    default: 64,
    min: 1,
    max: 4096,
    scale: 'log',
    doc: 'Largest number of pairs of one task group; of more, evenly spaced ones are kept.',
  },
});

/** Where the units of every trajectory of a minibatch begin. */
export type Spans = { readonly ids: readonly number[]; readonly starts: readonly number[] };

export function spansOf(trajectory: Uint32Array): Spans {
  const ids: number[] = [];
  const starts: number[] = [];
  trajectory.forEach((i, u) => {
    if (u > 0 && i === trajectory[u - 1]) return;
    ids.push(i);
    starts.push(u);
  });
  return { ids, starts: [...starts, trajectory.length] };
}

/** Places in `ids` of the trajectories of each task group. */
export function groupsOf(ids: readonly number[], task: Uint32Array): number[][] {
  const groups = new Map<number, number[]>();
  ids.forEach((i, k) => groups.set(task[i]!, [...(groups.get(task[i]!) ?? []), k]));
  return [...groups.values()];
}

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

/** How a comparison is read: the numbers that make up a score, its slope and the pull on the rejected episode. */
export type Comparison = {
  readonly part: Float64Array;
  readonly scale: number;
  readonly lambda: number;
  weightOf(gap: number): number;
};

/**
 * Marks every unit with κ = B·∂Loss/∂log π, B trajectories in the minibatch: what the aggregation `seqMeanUnitSum`
 * (w = 1/B) turns into the gradient of the pair loss. Returns the loss.
 */
export function markComparisons(
  { trajectory, outcome, task }: UnitSet,
  { length, maxPairs }: ValuesOf<typeof comparing>,
  { part, scale, lambda, weightOf }: Comparison,
  mark: Float64Array,
): number {
  const { ids, starts } = spansOf(trajectory);
  const share = (k: number): number => (length === 'mean' ? 1 / (starts[k + 1]! - starts[k]!) : 1);
  const score = Float64Array.from(ids, (_, k) => {
    let sum = 0;
    for (let u = starts[k]!; u < starts[k + 1]!; u++) sum += part[u]!;
    return sum * share(k);
  });
  const R = ids.map((i) => outcome[i]!);
  const pairs = groupsOf(ids, task).flatMap((group) => pairsOf(group, R, maxPairs, weightOf));
  const { loss, slope } = pairLoss(score, pairs, scale, lambda);
  slope.forEach((x, k) => mark.fill(ids.length * x * share(k), starts[k], starts[k + 1]));
  return loss;
}

/** Loss and κ of a unit whose mark is κ: constant slope, so that Σ wℓ has the gradient of the loss of all. */
export const MARKED_WGSL = `// p = (unused, unused, unused, κ of the unit)
fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f {
  return vec3f(p.w * logp, p.w, 0.0);
}
`;
