import type { Batch } from '../../contract/columns.ts';
import { groupsOf } from '../../core/batch.ts';
import { log } from '../../core/fmath.ts';
import { mean, quantileSorted } from '../../core/stats.ts';
import { creditCovariance } from './covariance.ts';
import { essFromLogWeights } from '../../core/math/ess.ts';
import { defineMetrics } from './types.ts';

/** Quantiles of Δ that the fan shows, in percent. */
export const FAN = [1, 5, 25, 50, 75, 95, 99] as const;

const SPARE = {
  group: 'data',
  unit: 'Δ',
  look: 'Narrow bands around 0 are careful updates; the tails decide the clip.',
} as const;

/** Measures of a shown batch beyond structure and credit: distributions, not means (spec metrics §3, §5, §6, §8). */
export const batchMeasures = defineMetrics([
  {
    id: 'klExact',
    title: 'Exact KL of the update',
    group: 'data',
    unit: 'nats',
    doc: 'Mean over steps of Σ π_old log(π_old / π_θ) after the update; where the states of the level are enumerated.',
    look: 'What the estimates aim for; never below 0.',
  },
  {
    id: 'klReverse',
    title: 'Exact KL, reversed',
    group: 'data',
    unit: 'nats',
    doc: 'Mean over steps of Σ π_θ log(π_θ / π_old) after the update; where the states of the level are enumerated.',
    look: 'Above the other direction when the policy finds new actions, below it when it forgets some.',
  },
  {
    id: 'covTop90',
    title: 'Credit and confidence, top tenth',
    group: 'exploration',
    unit: 'covariance',
    doc: '90 % quantile of (A − Ā)(log π_θ − mean log π_θ) over decisions.',
    look: 'The mean covariance lives in its upper tail.',
  },
  {
    id: 'covTop99',
    title: 'Credit and confidence, top hundredth',
    group: 'exploration',
    unit: 'covariance',
    doc: '99 % quantile of (A − Ā)(log π_θ − mean log π_θ) over decisions.',
    look: 'Decisions beyond it are the ones that Clip-Cov and KL-Cov hold back.',
  },
  {
    id: 'covTop998',
    title: 'Credit and confidence, top 0.2 %',
    group: 'exploration',
    unit: 'covariance',
    doc: '99.8 % quantile of (A − Ā)(log π_θ − mean log π_θ) over decisions.',
    look: 'A few decisions can take most of the entropy.',
  },
  {
    id: 'covCorr',
    title: 'Credit and confidence, correlation',
    group: 'exploration',
    unit: 'correlation',
    doc: 'Correlation of A and log π_θ(a) over decisions after the update; a gap where either is constant.',
    look: 'The covariance without the size of the credit: above 0, likely actions get credit.',
    range: [-1, 1],
  },
  {
    id: 'essNormalised',
    title: 'Sample size by mean ratio',
    group: 'data',
    unit: 'share of trajectories',
    doc: '(Σs)² / (n Σs²) with s = exp(mean Δ of a trajectory), as GSPO weights them; not the sample size of any estimator.',
    look: 'Comparable between episodes of any length, and far above the one from products.',
    range: [0, 1],
  },
  {
    id: 'creditMin',
    title: 'Lowest credit',
    group: 'credit',
    unit: 'A',
    doc: 'Smallest advantage of a real step.',
    look: 'Far below −3 a few steps dominate the update.',
  },
  {
    id: 'creditMax',
    title: 'Highest credit',
    group: 'credit',
    unit: 'A',
    doc: 'Largest advantage of a real step.',
    look: 'High when successes are rare: the only success in a group of G gets about √G.',
  },
  {
    id: 'revisitShare',
    title: 'Steps in a loop',
    group: 'structure',
    unit: 'share of steps',
    doc: 'Steps whose state already occurred earlier in the same trajectory.',
    look: 'High for a policy that wanders; falls as it learns the path.',
    range: [0, 1],
  },
  {
    id: 'mergedOutcomes',
    title: 'Shared edges that decide nothing',
    group: 'structure',
    unit: 'share of edges',
    doc: 'Among the edges that several steps of a task group share, those taken by trajectories with different outcomes.',
    look: 'Merging changes the credit only on these; at 0 it equals outcome credit.',
    range: [0, 1],
  },
  {
    id: 'groupSizeMean',
    title: 'Mean step group',
    group: 'structure',
    unit: 'steps',
    doc: 'Steps divided by step groups: each group of equal states counts once.',
    look: 'Far below the size seen from a step when a few states are visited very often.',
  },
  ...FAN.map(
    (q) =>
      ({
        ...SPARE,
        id: `delta${q}` as const,
        title: `Log-ratio, ${q} %`,
        doc: `${q} % quantile of Δ = log π_θ − log π_old over the decisions of the batch after the update.`,
      }) as const,
  ),
]);

type FanId = `delta${(typeof FAN)[number]}`;
type OwnId = Exclude<(typeof batchMeasures)[number]['id'], `delta${number}`>;
export type BatchMeasureId = OwnId | FanId;

/** What these measures read: A, Δ [B, T], and the edges of the trajectory graph. */
export type Looked = {
  readonly batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'logp' | 'outcome'>;
  readonly A: Float32Array;
  readonly delta: Float32Array;
  /** the words of each step, where they are the units */
  readonly words?: Words | null;
};

/** Decided words of the steps: how many [B, T], and log π_old and Δ of each [B, T, decisions]. */
export type Words = {
  readonly decisions: number;
  readonly count: ArrayLike<number>;
  readonly logp: Float32Array;
  readonly delta: Float32Array;
};

/** Credit, log π_θ after the update and Δ of every unit: of the words of these steps, or of the steps themselves. */
function unitsOf({ batch, A, delta, words }: Looked, steps: readonly number[]) {
  if (!words)
    return {
      A: Float64Array.from(steps, (k) => A[k]!),
      logp: Float64Array.from(steps, (k) => batch.logp[k]! + delta[k]!),
      delta: Float64Array.from(steps, (k) => delta[k]!),
    };
  const { decisions, count } = words;
  const step = steps.flatMap((k) => Array.from({ length: count[k]! }, () => k));
  const unit = steps.flatMap((k) => Array.from({ length: count[k]! }, (_, d) => k * decisions + d));
  return {
    A: Float64Array.from(step, (k) => A[k]!),
    logp: Float64Array.from(unit, (u) => words.logp[u]! + words.delta[u]!),
    delta: Float64Array.from(unit, (u) => words.delta[u]!),
  };
}

/**
 * Distributions of a batch that need nothing else. Quantiles of Δ and of the covariance are over units: the decided
 * words, where each has a ratio of its own, else the steps.
 */
export function distributionsOf(
  looked: Looked,
): Omit<
  { readonly [id in BatchMeasureId]: number | null },
  'klExact' | 'klReverse' | 'mergedOutcomes' | 'groupSizeMean'
> {
  const { batch, A, delta } = looked;
  const steps: number[] = [];
  for (let i = 0; i < batch.B; i++) for (let t = 0; t < batch.length[i]!; t++) steps.push(i * batch.T + t);
  const credit = Float64Array.from(steps, (k) => A[k]!).sort();
  const units = unitsOf(looked, steps);
  const { top, pearson } = creditCovariance(units.A, units.logp);
  const moved = units.delta.sort();
  const fan = Object.fromEntries(FAN.map((q) => [`delta${q}`, quantileSorted(moved, q / 100)])) as Record<
    FanId,
    number
  >;
  return {
    covTop90: top[0]!,
    covTop99: top[1]!,
    covTop998: top[2]!,
    covCorr: pearson,
    essNormalised: essFromLogWeights(meanDeltas(batch, delta)),
    creditMin: credit[0]!,
    creditMax: credit.at(-1)!,
    revisitShare: revisitShare(batch),
    ...fan,
  };
}

/** Mean Δ over the steps of each trajectory: the logarithm of the geometric mean of its ratios. */
function meanDeltas({ B, T, length }: Pick<Batch, 'B' | 'T' | 'length'>, delta: Float32Array): Float64Array {
  return Float64Array.from({ length: B }, (_, i) => mean(delta.subarray(i * T, i * T + length[i]!)));
}

/** Share of steps whose state already occurred in the same trajectory. */
export function revisitShare({ B, T, length, stateKey }: Pick<Batch, 'B' | 'T' | 'length' | 'stateKey'>): number {
  let again = 0;
  let steps = 0;
  for (let i = 0; i < B; i++) {
    const seen = new Set<string>();
    for (let k = i * T; k < i * T + length[i]!; k++, steps++) {
      const key = `${stateKey[2 * k]!} ${stateKey[2 * k + 1]!}`;
      if (seen.has(key)) again++;
      else seen.add(key);
    }
  }
  return again / steps;
}

/** KL(p‖q) of two rows of probabilities; 0·log 0 = 0. Where q is 0 and p is not, it is infinite. */
export function klOfRows(
  p: ArrayLike<number>,
  pAt: number,
  q: ArrayLike<number>,
  qAt: number,
  actions: number,
): number {
  let total = 0;
  for (let b = 0; b < actions; b++) {
    const x = p[pAt + b]!;
    if (x > 0) total += x * (log(x) - log(q[qAt + b]!));
  }
  return total;
}

/** Success rate of each task group, in order of first appearance. */
export function taskRates(batch: Pick<Batch, 'B' | 'taskIndex' | 'success'>): number[] {
  return groupsOf(batch).map((group) => group.filter((i) => batch.success[i] !== 0).length / group.length);
}

/** Tasks by success rate p: all solved, [0.8, 1), (0.2, 0.8), (0, 0.2], none (Knapsack RL, arXiv 2509.25849). */
export function rateBars(rates: readonly number[]): readonly [number, number, number, number, number] {
  const bars: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  for (const p of rates) bars[p === 1 ? 0 : p >= 0.8 ? 1 : p > 0.2 ? 2 : p > 0 ? 3 : 4]++;
  return bars;
}

/** Chance that a group of G has both outcomes at success rate p: 1 − p^G − (1−p)^G. */
export const mixedChance = (p: number, G: number): number => 1 - p ** G - (1 - p) ** G;

/** Numbers by position in the episode: steps there, mean entropy, mean |A|, mean |Δ|. [T] each, 0 without steps. */
export type Positions = {
  readonly steps: Float32Array;
  readonly entropy: Float32Array;
  readonly size: Float32Array;
  readonly moved: Float32Array;
};

export function positionsOf(
  { B, T, length, entropy }: Pick<Batch, 'B' | 'T' | 'length' | 'entropy'>,
  A: Float32Array,
  delta: Float32Array,
): Positions {
  const make = (): Float32Array => new Float32Array(T);
  const found = { steps: make(), entropy: make(), size: make(), moved: make() };
  for (let i = 0; i < B; i++) {
    for (let t = 0; t < length[i]!; t++) {
      const k = i * T + t;
      found.steps[t]!++;
      found.entropy[t]! += entropy[k]!;
      found.size[t]! += Math.abs(A[k]!);
      found.moved[t]! += Math.abs(delta[k]!);
    }
  }
  for (const list of [found.entropy, found.size, found.moved])
    for (let t = 0; t < T; t++) if (found.steps[t]! > 0) list[t]! /= found.steps[t]!;
  return found;
}
