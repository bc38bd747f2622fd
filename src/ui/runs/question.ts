import type { Curve, GroupCurve, Interval } from '../../lab/analysis/bands.ts';
import type { Comparison, Profile } from '../../lab/analysis/comparison.ts';
import type { MemberGroup, ScoreKind } from '../../lab/analysis/strata.ts';

/** What the page asks the worker that draws thousands of resamples; each kind has its answer. */
export type Questions = {
  /** of the interquartile mean of each list of scores */
  intervals: { ask: { readonly scores: readonly (readonly number[])[] }; answer: readonly (Interval | null)[] };
  compare: { ask: Comparing; answer: Compared };
  /** interquartile mean and band of the curves of each group */
  curves: {
    ask: {
      /** what the curves are of: an answer about something else is not shown meanwhile */
      readonly about: string;
      readonly groups: readonly (readonly Curve[])[];
      readonly points: number;
      readonly range?: Interval;
    };
    answer: readonly GroupCurve[];
  };
};

export type Comparing = {
  readonly groups: readonly MemberGroup[];
  readonly threshold: number;
  readonly score: ScoreKind;
};
export type Compared = { readonly comparison: Comparison; readonly profiles: readonly Profile[] };

export type Kind = keyof Questions;
export type Question = {
  [K in Kind]: { readonly id: number; readonly kind: K; readonly ask: Questions[K]['ask'] };
}[Kind];
export type Answer = { readonly id: number; readonly answer: Questions[Kind]['answer'] };
