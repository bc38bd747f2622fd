import { percent } from '../format.ts';
import type { Column, CreditAnswer, Scores } from '../../worker/protocol.ts';

/** One number about credit: what it is called, how it is told in plain words, what it means exactly. */
export type MeasureRow = {
  readonly id: string;
  readonly title: string;
  /** the definition, one click away */
  readonly definition: string;
  /** what is good */
  readonly good: string;
  /** which end is the better one */
  readonly best: 'high' | 'low';
  /** ends of the bar */
  readonly range: readonly [number, number];
  value(column: Column): number | null;
  text(x: number): string;
  /** the number in plain words */
  words(x: number, column: Column): string;
};

/** With both places, so that the numbers of a column can be compared at a glance. */
function two(x: number): string {
  const size = Math.abs(x).toFixed(2);
  return size === '0.00' ? size : `${x < 0 ? '−' : '+'}${size}`;
}
const share = (x: number): string => percent(x);

/** First line whose limit the number reaches. */
const graded = (x: number, lines: readonly (readonly [number, string])[]): string =>
  lines.find(([limit]) => x >= limit)?.[1] ?? lines.at(-1)![1];

const ofScores = (id: keyof Scores) => (column: Column) => column.scores?.[id] ?? null;

export const MEASURES: readonly MeasureRow[] = [
  {
    id: 'sign',
    title: 'Right sign',
    definition:
      'Among the steps whose true advantage is beyond ±0.02 of the range of rewards (the most minus the least that a step of these levels can pay): the share whose credit has the same sign. Credit 0 counts as wrong.',
    good: '100 % is perfect, 50 % is a coin flip.',
    best: 'high',
    range: [0, 1],
    value: ofScores('sign'),
    text: share,
    words: (x, { scores }) => `agrees in sign on ${share(x)} of the ${scores?.signSteps ?? 0} steps that mattered`,
  },
  {
    id: 'pearson',
    title: 'Correlation',
    definition: 'Pearson correlation of credit and true advantage over all steps; every visit counts.',
    good: '+1 is perfect, 0 is no relation.',
    best: 'high',
    range: [-1, 1],
    value: ofScores('pearson'),
    text: two,
    words: (x) =>
      graded(x, [
        [0.7, 'follows the truth closely'],
        [0.4, 'follows the truth roughly'],
        [0.15, 'follows the truth faintly'],
        [-0.15, 'has little to do with the truth'],
        [-1, 'points against the truth'],
      ]),
  },
  {
    id: 'nmse',
    title: 'Left unexplained',
    definition:
      'NMSE: Σ(c·A − truth)² / Σ truth² with the best common factor c = Σ A·truth / ΣA²; equal to 1 − cosine² of the two.',
    good: '0 % is perfect, 100 % is useless.',
    best: 'low',
    range: [0, 1],
    value: ofScores('nmse'),
    text: share,
    words: (x) => `${share(x)} of the truth is left unexplained, at the best scale`,
  },
  {
    id: 'cosine',
    title: 'Cosine of the credit',
    definition: 'Cosine of the angle between all credits and all true advantages, each taken as one long vector.',
    good: '+1 is perfect.',
    best: 'high',
    range: [-1, 1],
    value: ofScores('cosine'),
    text: two,
    words: (x) =>
      graded(x, [
        [0.9, 'nearly the same direction'],
        [0.5, 'roughly the same direction'],
        [0.15, 'slightly the same direction'],
        [-0.15, 'at right angles'],
        [-1, 'the opposite direction'],
      ]),
  },
  {
    id: 'gradCosine',
    title: 'Direction of the update',
    definition:
      'Cosine between the gradient that this credit gives on the table of logits, 1/B Σ A·(e_a − π(·|s)), and the exact gradient of the expected return.',
    good: '+1 is straight uphill. Even exact credit stays below 1: the batch is a sample.',
    best: 'high',
    range: [-1, 1],
    value: ofScores('gradCosine'),
    text: two,
    words: (x) =>
      graded(x, [
        [0.9, 'the update would go almost straight uphill'],
        [0.5, 'the update would go uphill'],
        [0.1, 'the update would go slightly uphill'],
        [-0.1, 'the update would go neither up nor down'],
        [-1, 'the update would go downhill'],
      ]),
  },
  {
    id: 'bias',
    title: 'Systematic error (bias²)',
    definition:
      'Over 16 fresh batches by the weights that sampled this one: how far the mean credit of each (step, state, action) is from its true advantage, squared, in the best common unit, without the part that the small number of samples alone would cause. As a share of the mean squared truth.',
    good: '0 % is perfect: right on average.',
    best: 'low',
    range: [0, 1],
    value: ({ deep }) => (deep?.error && deep.error.signal > 0 ? deep.error.biasSqCorrected / deep.error.signal : null),
    text: share,
    words: (x) => `wrong on average by ${share(x)} of the size of the truth`,
  },
  {
    id: 'variance',
    title: 'Random error (variance)',
    definition:
      'Over the same 16 fresh batches: how much the credit of the same (step, state, action) changes from sample to sample, in the same unit. As a share of the mean squared truth.',
    good: '0 % is perfect: always the same.',
    best: 'low',
    range: [0, 1],
    value: ({ deep }) => (deep?.error && deep.error.signal > 0 ? deep.error.variance / deep.error.signal : null),
    text: share,
    words: (x) => `varies from batch to batch by ${share(x)} of the size of the truth`,
  },
];

/** The best of some columns by a measure, as the numbers are told: equal ones are all best; none where there is only one. */
export function bestOf(measure: MeasureRow, columns: readonly Column[]): ReadonlySet<Column> {
  const known = columns.filter((column) => measure.value(column) !== null);
  if (known.length < 2) return new Set();
  const of = (column: Column): number => (measure.best === 'high' ? 1 : -1) * measure.value(column)!;
  const first = known.reduce((a, b) => (of(b) > of(a) ? b : a));
  const told = measure.text(measure.value(first)!);
  return new Set(known.filter((column) => measure.text(measure.value(column)!) === told));
}

/** Where 0 lies on the bar and how far it reaches, in percent of its width; larger values than the range end at its end. */
export function barOf(x: number, [low, high]: readonly [number, number]): { left: number; width: number } {
  const place = (v: number): number => (100 * (Math.max(low, Math.min(high, v)) - low)) / (high - low);
  const zero = place(0);
  const at = place(x);
  return { left: Math.min(zero, at), width: Math.abs(at - zero) };
}

/** What is still being worked out, in words. */
export function pendingText(pending: CreditAnswer['pending']): string | null {
  if (!pending) return null;
  const done = percent(pending.share);
  return {
    exact: `The exact values are being computed: ${done}.`,
    forks: `The true advantage is being estimated by playing on from stored states: ${done}.`,
    batches: `Fresh batches are being played by the weights that sampled this one: ${done}.`,
    curves: `Each estimator is scoring fresh batches: ${done}.`,
  }[pending.what];
}

/** What the truth of this answer is, in one or two sentences. */
export function truthText({ truth }: CreditAnswer): string {
  const several = truth.versions > 1;
  if (truth.kind === 'exact')
    return several
      ? `Truth: the exact advantage under the ${truth.versions} versions of the policy that sampled this batch, for each step under those that play from there on; computed from the rules of the world.`
      : 'Truth: the exact advantage of the policy that sampled this batch, computed from the rules of the world.';
  const why = truth.why ?? '';
  if (truth.kind === 'none') return `${why} There is no truth to compare with yet.`.trim();
  const error = truth.meanError === null ? '' : `, standard error ${two(truth.meanError).replace('+', '±')}`;
  return `${why} Truth: estimated on ${truth.knownSteps} of ${truth.steps} steps drawn at random, from ${truth.rollouts} pairs of playouts each${error}.${several ? ' Each step of a playout is played by the version of the policy that played that step of the episode.' : ''}`;
}
