import { bootstrapInterval, probabilityOfImprovement } from '../../core/seeds.ts';
import { correlation } from '../../core/fidelity.ts';
import { iqm, mean } from '../../core/stats.ts';
import {
  areaUnderCurve,
  holm,
  labelPermutationP,
  pairedDifference,
  performanceProfile,
  reached,
  signFlipP,
  stepsTo,
} from './ablation.ts';
import { bootstrapBand, bootstrapTwo, type Band, type Curve, type Interval } from './bands.ts';

/** What a comparison reads of a run of one seed. */
export type Member = {
  readonly seed: number;
  readonly score: number;
  readonly envSteps: number;
  readonly evaluations: Curve;
};

/** Everything but the seed: the runs that are equal but for it. */
export type MemberGroup = { readonly name: string; readonly members: readonly Member[] };

/** A group against the first one. */
export type Against = {
  /** on how many seeds both ran, where they are compared seed by seed; null where they ran on different ones */
  readonly paired: number | null;
  /** mean of the scores less that of the first group, and its interval */
  readonly difference: number;
  readonly interval: Interval | null;
  /** two-sided: exact over sign flips where paired, else over splits; corrected after Holm for the whole table */
  readonly p: number;
  /** of the scores of the same seeds: near 1, pairing helped; near 0, it did not */
  readonly correlation: number | null;
  /** probability that a run of this group scores higher than one of the first; not a p-value */
  readonly improvement: number;
  readonly improvementInterval: Interval | null;
};

export type ComparisonRow = {
  readonly name: string;
  readonly n: number;
  readonly mean: number;
  readonly iqm: number;
  readonly interval: Interval | null;
  /** area under the success curve over equally many steps for all */
  readonly area: number;
  /** environment steps to the threshold: median with runs that never came there as ∞, and the share that came there */
  readonly steps: { readonly median: number; readonly share: number };
  readonly against: Against | null;
};

export type Comparison = {
  readonly rows: readonly ComparisonRow[];
  readonly threshold: number;
  /** steps up to which areas are taken: those of the shortest run */
  readonly limit: number;
};

const scoresOf = ({ members }: MemberGroup): number[] => members.map(({ score }) => score);

/**
 * All groups, each with its statistics over the seeds and compared with the first one. Groups must have members.
 */
export function compareGroups(groups: readonly MemberGroup[], threshold: number): Comparison {
  const limit = Math.min(...groups.flatMap(({ members }) => members.map(({ envSteps }) => envSteps)));
  const [first, ...others] = groups;
  const raw = others.map((group) => against(group, first!));
  const adjusted = holm(raw.map(({ p }) => p));
  const rows = groups.map((group, k): ComparisonRow => {
    const scores = scoresOf(group);
    const to = group.members.map(({ evaluations: e }) => stepsTo(e.steps, e.success, threshold));
    return {
      ...{ name: group.name, n: scores.length, mean: mean(scores), iqm: iqm(scores) },
      interval: bootstrapInterval([scores]),
      area: mean(group.members.map(({ evaluations: e }) => areaUnderCurve(e.steps, e.success, limit))),
      steps: reached(to),
      against: k === 0 ? null : { ...raw[k - 1]!, p: adjusted[k - 1]! },
    };
  });
  return { rows, threshold, limit };
}

/** With the seeds that both have, where there are at least two of them; else with all. */
function against(group: MemberGroup, first: MemberGroup): Against {
  const before = new Map(first.members.map(({ seed, score }) => [seed, score]));
  const common = group.members.filter(({ seed }) => before.has(seed));
  const [X, Y] = [scoresOf(group), scoresOf(first)];
  const unpaired = {
    improvement: probabilityOfImprovement([X], [Y]),
    improvementInterval: bootstrapTwo([X], [Y], probabilityOfImprovement),
  };
  if (common.length < 2) {
    const difference = (x: readonly (readonly number[])[], y: readonly (readonly number[])[]): number =>
      mean(x[0]!) - mean(y[0]!);
    return {
      ...{ paired: null, difference: difference([X], [Y]), interval: bootstrapTwo([X], [Y], difference) },
      ...{ p: labelPermutationP([X], [Y]), correlation: null, ...unpaired },
    };
  }
  const x = common.map(({ score }) => score);
  const y = common.map(({ seed }) => before.get(seed)!);
  const differences = x.map((score, k) => score - y[k]!);
  return {
    ...{ paired: common.length, difference: pairedDifference([x], [y]).mean },
    interval: bootstrapInterval([differences], mean),
    ...{ p: signFlipP([x], [y]), correlation: correlation(x, y), ...unpaired },
  };
}

export type Profile = { readonly name: string; readonly share: readonly number[]; readonly band: Band | null };

/** Share of the runs of each group with a score above each τ, with a pointwise band. */
export function profilesOf(groups: readonly MemberGroup[], taus: readonly number[]): Profile[] {
  return groups.map((group) => {
    const scores = scoresOf(group);
    const over = (seeds: ArrayLike<number>): number[] =>
      performanceProfile([Array.from(seeds, (seed) => scores[seed]!)], taus);
    return {
      name: group.name,
      share: performanceProfile([scores], taus),
      band: bootstrapBand(scores.length, over),
    };
  });
}

/** True if one profile is above the other at some levels and below at others: which group is better depends on the level. */
export function doCross(a: Profile, b: Profile): boolean {
  const signs = a.share.map((share, k) => Math.sign(share - b.share[k]!));
  return signs.includes(1) && signs.includes(-1);
}
