import { settings } from '../../core/settings.ts';
import type { Column } from '../types.ts';
import { defineReward } from './types.ts';

/**
 * Gated reward accumulation. o: outcome score of the episode, u: what critics say of a step, or what the world pays on the way.
 *
 *   u[t] = w_g·grounded[t] + w_n·novel[t]                          critics
 *   u[t] = r_world[t], and 0 in the last step                      world: there the outcome stands in its place
 *   r[t] = 1[t last]·o + 1[o ≥ δ]·u[t]                            sum, as in the paper
 *   r[t] = 1[t last]·(o + 1[o ≥ δ]·w·mean of u over the episode)   mean
 *
 * With the gate open for everybody this is direct accumulation (D-RA), the control: then u alone can be farmed. Digests of
 * the paper disagree on ≥ and >; δ stands between the rungs of o. The mean is this lab's addition.
 */
export const gra = defineReward({
  id: 'gra',
  title: 'Gated rewards (G-RA)',
  rev: 1,
  kind: 'replacing',
  source: { title: 'Stabilizing Long-term Multi-turn RL with Gated Rewards', arxiv: '2508.10548', level: 'digest' },
  needs: ['outcomeScore', 'grounded', 'novel', 'length', 'reward'],
  formula: 'r ← 1[last]·o + 1[o ≥ δ]·u, u = w_g·grounded + w_n·novel',
  look: 'With the gate open, shaped reward rises while success falls; gated, both rise together.',
  also: 'D-RA, direct accumulation, process reward, dense reward, reward hacking',
  params: settings({
    of: {
      kind: 'choice',
      label: 'What steps earn',
      default: 'critics',
      options: ['critics', 'world'],
      optionLabels: ['what critics say', 'what the world pays on the way'],
      doc: 'Critics pay for possible actions and new states; the world for its own bonuses.',
    },
    gate: {
      kind: 'choice',
      label: 'Gate',
      default: 'outcome',
      options: ['outcome', 'open'],
      optionLabels: ['by the outcome (G-RA)', 'always open (D-RA)'],
      doc: 'Whether rewards of steps count only in episodes that got far enough.',
    },
    delta: {
      kind: 'number',
      label: 'Threshold',
      default: 0.25,
      min: 0,
      max: 1,
      doc: 'Outcome score from which the rewards of steps count.',
      formula: 'δ',
      when: { setting: 'gate', is: ['outcome'] },
    },
    accumulate: {
      kind: 'choice',
      label: 'Rewards of steps',
      default: 'mean',
      options: ['mean', 'sum'],
      optionLabels: ['mean over the episode', 'sum (paper)'],
      doc: 'A sum pays for long episodes; a mean does not.',
    },
    weight: {
      kind: 'number',
      label: 'Weight of the mean',
      default: 0.3,
      min: 0,
      max: 10,
      doc: 'Size of the mean relative to the outcome.',
      formula: 'w',
      when: { setting: 'accumulate', is: ['mean'] },
    },
    grounded: {
      kind: 'number',
      label: 'Possible action',
      default: 0.05,
      min: 0,
      max: 1,
      doc: 'Reward for a step whose action was not refused.',
      formula: 'w_g',
      when: { setting: 'of', is: ['critics'] },
    },
    novel: {
      kind: 'number',
      label: 'New state',
      default: 0.05,
      min: 0,
      max: 1,
      doc: 'Reward for a step that leads to a state new to this episode.',
      formula: 'w_n',
      when: { setting: 'of', is: ['critics'] },
    },
  }),
  mostPerStep: ({ of, accumulate, grounded, novel }) =>
    of === 'critics' && accumulate === 'sum' ? grounded + novel : 0,
  run(batch, { of, gate, delta, accumulate, weight, ...by }, out) {
    const { B, T, length, outcomeScore: o, grounded, novel, reward } = batch;
    const paid = (k: number, last: number): number => (k < last ? reward[k]! : 0);
    const judged = (k: number): number => by.grounded * grounded![k]! + by.novel * novel![k]!;
    for (let i = 0; i < B; i++) {
      const [first, last] = [i * T, i * T + length[i]! - 1];
      const isOpen = gate === 'open' || o![i]! >= Math.fround(delta);
      let sum = 0;
      for (let k = first; k <= last; k++) {
        const u = of === 'world' ? paid(k, last) : judged(k);
        sum += u;
        if (isOpen && accumulate === 'sum') out[k] = u;
      }
      out[last]! += o![i]! + (isOpen && accumulate === 'mean' ? (weight * sum) / length[i]! : 0);
    }
  },
  scratch: ({ of, accumulate }) => (accumulate === 'sum' ? 4 : 5) + (of === 'world' ? 1 : 0),
  gpu(ops, { of, gate, delta, accumulate, weight, grounded, novel }) {
    const o = ops.signal('outcomeScore');
    const last = (): Column => ops.atEnd(ops.threshold(ops.ended('terminated'), 0));
    const u =
      of === 'world'
        ? ops.combine(1, ops.paid, 0, last(), -1)
        : ops.combine(grounded, ops.signal('grounded'), novel, ops.signal('novel'));
    const open = ops.threshold(o, gate === 'open' ? 0 : delta);
    const [x, w] = accumulate === 'sum' ? [u, 1] : [ops.atEnd(ops.meanOfRow(u)), weight];
    return ops.combine(1, ops.atEnd(o), 1, ops.combine(0, x, 0, open, w));
  },
});
