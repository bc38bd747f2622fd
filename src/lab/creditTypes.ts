import type { PaidTruth } from './paidTruth.ts';
import type { BiasVariance } from './analysis/biasVariance.ts';
import type { AnyValues } from '../core/settings.ts';
import type { Explanation } from '../slots/types.ts';

/** A batch that was looked at: the one of this update and replica. */
export type BatchName = { readonly update: number; readonly replica: number };

/** An estimator with the settings it shall run with. */
export type Asked = { readonly id: string; readonly params: AnyValues };

/** Credit of up to four estimators on a stored batch. Nothing is trained. */
export type CreditRequest = BatchName & {
  readonly methods: readonly Asked[];
  /** false: only numbers, because the arrays are already there */
  readonly withArrays: boolean;
  /** milliseconds to continue with what takes longer (reference, fresh batches, curves); 0: only what is quick */
  readonly workMs: number;
};

/** How well credit agrees with the truth on the steps where the truth is known. null: undefined there. */
export type Scores = {
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** share of the steps that made a difference with the right sign, and how many steps those are */
  readonly sign: number | null;
  readonly signSteps: number;
  readonly signWeighted: number | null;
  readonly scale: number | null;
  readonly nmse: number | null;
  readonly cosine: number | null;
  /** cosine of the gradient with the exact one; null where there is no exact gradient */
  readonly gradCosine: number | null;
};

/** What a step was really worth under the policy that sampled the batch. */
export type Truth = {
  readonly kind: 'exact' | 'estimated' | 'none';
  /** true advantages beyond ± this made a difference: see signThreshold */
  readonly threshold: number;
  /** versions of the weights that sampled the batch; each step is judged by what plays from there on */
  readonly versions: number;
  /** [B, T]; null while nothing is known, or without arrays */
  readonly values: Float32Array | null;
  /** [B, T] 1 = known at this step */
  readonly known: Uint8Array | null;
  /** [B, T] standard error of an estimate */
  readonly error: Float32Array | null;
  /** real steps, and how many of them are known */
  readonly steps: number;
  readonly knownSteps: number;
  /** estimated: rollouts behind each value, and the root mean square of the standard errors */
  readonly rollouts: number;
  readonly meanError: number | null;
  /** why it is not exact, or not known at all; one sentence */
  readonly why: string | null;
};

/** Cosine with the exact gradient for batches of b task groups: quartiles over random subsets. */
export type CosineAt = {
  readonly groups: number;
  readonly subsets: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
};

/** Numbers that need more than the one batch. */
export type Deep = {
  readonly error: BiasVariance | null;
  readonly curve: readonly CosineAt[];
  /** fresh batches of the frozen policy behind them */
  readonly batches: number;
};

export type Column = {
  readonly id: string;
  readonly title: string;
  /** one sentence why there is no credit */
  readonly why: string | null;
  /** [B, T]; null without arrays or without credit */
  readonly A: Float32Array | null;
  readonly parts: readonly { readonly name: string; readonly values: Float32Array }[];
  readonly scores: Scores | null;
  readonly deep: Deep | null;
  /** why there are no such numbers; null while they are worked out and when they are there */
  readonly deepWhy: string | null;
};

export type CreditAnswer = BatchName & {
  /** false: the batch is no longer kept, and everything else is empty */
  readonly isKept: boolean;
  readonly truth: Truth;
  readonly columns: readonly Column[];
  /** the same numbers for credit that everybody can judge: the truth itself, return − V, the plain outcome */
  readonly references: readonly { readonly id: string; readonly title: string; readonly scores: Scores }[];
  /** what is still being worked out, and how much of it is done; null: nothing */
  readonly pending: { readonly what: 'exact' | 'forks' | 'batches' | 'curves'; readonly share: number } | null;
};

export type ExplainRequest = BatchName & Asked & { readonly i: number; readonly t: number };

/** Everything about one step that only the worker knows. */
export type StepAnswer = BatchName & {
  readonly isKept: boolean;
  readonly title: string;
  readonly why: string | null;
  /** null where the estimator does not say how its number comes about; then `A` and `parts` are all there is */
  readonly explanation: Explanation | null;
  readonly A: number;
  readonly parts: readonly { readonly name: string; readonly value: number }[];
  /** WGSL files that compute the estimator with these settings in a run on the GPU; none where the CPU does */
  readonly kernels: readonly string[];
  /** flat indices of the steps of the task group that start in the same state, this one included */
  readonly sameState: Uint32Array;
  /** what the world paid from there on, undiscounted; and the same as the estimator sees it, where it sees something else */
  readonly toGo: Float32Array;
  readonly judgedToGo: Float32Array | null;
  /** [actions] exact value of each action here and from here on the best ones: see creditBest.ts; null where unknown */
  readonly best: Float32Array | null;
  /** what the world told of this step beside its reward; null where it tells nothing */
  readonly signals: StepSignals | null;
  /** what the step was worth by the world and as it is paid; null where that is not known exactly, or the same */
  readonly paidTruth: PaidTruth | null;
};

/** What of it a batch knows by itself; the rest is looked up around the step. */
export type BatchAnswer = Omit<StepAnswer, 'signals' | 'best' | 'kernels' | 'paidTruth'>;

/** Signals of one step, whether or not a module of the run needs them. Pairs are of the state before and after it. */
export type StepSignals = {
  readonly isRefused: boolean;
  /** number of the thought before the action, 0 for none and where there are no tags */
  readonly tag: number;
  readonly isNew: boolean;
  readonly isRepeated: boolean;
  /** something that cannot be undone happened */
  readonly isHard: boolean;
  /** milestones of the level that were first reached here, counted from 1 */
  readonly reached: readonly number[];
  readonly completion: readonly [number, number];
  readonly potential: { readonly of: 'distance' | 'milestone' | 'value'; readonly phi: readonly [number, number] };
};

/** Code that is asked for when somebody wants what takes long. */
export type Slow = Pick<typeof import('./creditDeep.ts'), 'deepen' | 'freshPool'> &
  Pick<typeof import('./creditFork.ts'), 'Forks'>;
