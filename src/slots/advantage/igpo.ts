import type { Batch } from '../../contract/columns.ts';
import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator, type Explanation, type Term } from '../types.ts';
import { common } from './common.ts';
import { comparedTerm, show, stepsLike } from './explain.ts';
import { given } from './given.ts';
import { headsBy, normalizeHeads, taskHeads, timeHeads, type Heads } from './segments.ts';

export type InformationCredit = 'joint' | 'separate' | 'stepMean';

/**
 * [B, T] what a step is paid: how much more likely the true answer became, and in the last step the outcome.
 *
 *   r[t] = p[t+1] − p[t]  for t < T_i − 1,   r[T_i−1] = outcome
 */
export function informationRewards(
  { B, T, length }: Pick<Batch, 'B' | 'T' | 'length'>,
  p: ArrayLike<number>,
  outcome: ArrayLike<number>,
): Float32Array {
  const r = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const last = length[i]! - 1;
    for (let t = 0; t < last; t++) r[i * T + t] = p[i * (T + 1) + t + 1]! - p[i * (T + 1) + t]!;
    r[i * T + last] = outcome[i]!;
  }
  return r;
}

/** [B, T] Σ_{k≥t} γ^{k−t} r[k]. */
const toGo = ({ B, T, length }: Batch, reward: Float32Array, gamma: number): Float32Array =>
  returnsToGo({ B, T, length, reward }, gamma);

/** Σ_{k>t} γ^{k−t−1} r[k] of a step, as it is carried, before it is rounded. */
function laterOf({ T, length }: Batch, reward: Float32Array, gamma: number, step: number): number {
  const i = Math.floor(step / T);
  let carry = 0;
  for (let k = i * T + length[i]! - 1; k > step; k--) carry = reward[k]! + gamma * carry;
  return carry;
}

/** Sets in which rewards are compared: all of a task, or its gains and its outcomes apart. */
const setsOf = (batch: Batch, credit: InformationCredit): Heads =>
  credit === 'joint'
    ? taskHeads(batch)
    : headsBy(
        batch,
        (i) => batch.taskIndex[i]!,
        (i, t) => (t === batch.length[i]! - 1 ? 1 : 0),
      );

/** [B, T] credit of rewards `r` in one of the three forms. */
export function informationCredit(
  batch: Batch,
  r: Float32Array,
  credit: InformationCredit,
  gamma: number,
): Float32Array {
  if (credit === 'stepMean') return normalizeHeads(toGo(batch, r, 1), timeHeads(batch), 'mean');
  const normal = normalizeHeads(r, setsOf(batch, credit), 'std');
  return toGo(batch, normal, gamma);
}

/**
 * Information gain: a step earns how much more likely the true answer became, by the policy itself.
 *
 *   r[i,t] = p[i,t+1] − p[i,t]  for t < T_i − 1,   r[i,T_i−1] = 1 if the answer was right
 *   joint:     A[i,t] = Σ_{k≥t} γ^{k−t} Normalize over all rewards of the task of r[i,k]
 *   separate:  the same, gains and outcomes normalized apart
 *   stepMean:  Σ_{k≥t} r[i,k] − mean over the task's episodes at the same step
 *
 * p[i,t] is the probability that the sampling policy gives to the true answer of the episode if it had to answer now. Gains
 * telescope: their sum is p at the end minus p at the start, so only their placement is information. Joint normalization
 * subtracts a positive mean from every step, so credit depends on how many steps are left (A²TGPO, arXiv 2605.06200, is
 * about that). The released code has the last form, without a spread and at equal token positions.
 */
export const igpo = defineEstimator({
  id: 'igpo',
  title: 'IGPO',
  rev: 1,
  source: { title: 'Information Gain-based Policy Optimization', arxiv: '2510.14967', level: 'code' },
  needs: ['answerProb', 'success', 'taskIndex', 'length'],
  finePrint: [
    {
      on: 'Credit',
      paper: 'All rewards of a task normalized together, then a discounted sum.',
      code: 'The return to go minus its mean at equal token positions, where episodes that are over count as 0.',
      lab: 'Both, by the setting “Credit”; at equal steps, among episodes that still run.',
    },
  ],
  formula: 'r = p(answer | o′) − p(answer | o), in the last step the outcome; A = Σ γ^k · normalize(r)',
  look: 'The step that reads a sign lights up, even in an episode that ends with a wrong answer.',
  also: 'information gain, curiosity',
  params: settings({
    credit: {
      kind: 'choice',
      label: 'Credit',
      default: 'joint',
      options: ['joint', 'separate', 'stepMean'],
      optionLabels: ['gains and outcomes together (paper)', 'gains and outcomes apart', 'by the step (released code)'],
      doc: 'How gains and outcomes are compared before they are added up.',
    },
    gamma: {
      ...common.gamma,
      default: 1,
      doc: 'Discount of later gains; the value of the paper is not known.',
      when: { setting: 'credit', is: ['joint', 'separate'] },
    },
  }),
  // a single episode still compares its steps, unless only with others at the same step
  alone: ({ credit }) => (credit === 'stepMean' ? 'nothing' : 'anyway'),
  scores: () => ({ of: 'answers' }),
  run(batch, { credit, gamma }) {
    const r = informationRewards(batch, given(batch, 'answerProb'), batch.success);
    return { A: informationCredit(batch, r, credit as InformationCredit, gamma) };
  },
  scratch: ({ credit }) => (credit === 'joint' ? 10 : 14),
  gpu(ops, { credit, gamma }) {
    const p = ops.column('answerProb');
    const success = ops.ended('success');
    // 1 in all steps but the last
    const goesOn = ops.following(ops.broadcast(ops.threshold(success, 0)));
    const gains = ops.zip('keepIf', goesOn, ops.combine(1, ops.following(p), -1, p));
    const r = ops.zip('add', gains, ops.zip('keepUnless', goesOn, success));
    if (credit === 'stepMean')
      return { A: ops.normalizeSets(ops.returnsToGo(r, 1), ops.sets({ of: 'time', past: 0 }), 'mean') };
    const normal =
      credit === 'joint' ? ops.normalize(r, 'task', 'std') : ops.normalizeSets(r, ops.setsBy(goesOn), 'std');
    return { A: ops.returnsToGo(normal, gamma) };
  },
  explain(batch, { credit, gamma }, step): Explanation {
    const r = informationRewards(batch, given(batch, 'answerProb'), batch.success);
    const letter = credit === 'stepMean' ? 'G' : 'r';
    if (credit === 'stepMean') {
      const G = toGo(batch, r, 1);
      const compared = { ...stepsLike(timeHeads(batch), G, step), letter, what: 'gains and outcome from here on' };
      const value = normalizeHeads(G, timeHeads(batch), 'mean')[step]!;
      return {
        terms: [comparedTerm('information', value, { ...compared, others: 'episodes at this step', rule: 'mean' })],
      };
    }
    const sets = setsOf(batch, credit as InformationCredit);
    const normal = normalizeHeads(r, sets, 'std');
    const isLast = step % batch.T === batch.length[Math.floor(step / batch.T)]! - 1;
    const own = comparedTerm('this step', normal[step]!, {
      ...stepsLike(sets, r, step),
      ...{ letter, what: isLast ? 'outcome of this episode' : 'how much more likely the true answer became' },
      ...{ others: credit === 'joint' ? 'rewards of this task' : 'rewards of this kind in this task', rule: 'std' },
    });
    const value = gamma * laterOf(batch, normal, gamma, step);
    const later: Term = {
      ...{ name: 'later steps', value, formula: 'γ · A′', filled: `${show(gamma)} · A′ = ${show(value)}` },
      quantities: [{ symbol: 'γ', value: gamma, what: 'discount of later gains' }],
    };
    return { terms: [own, later] };
  },
});
