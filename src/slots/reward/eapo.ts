import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/**
 * The outcome, discounted by how far it is away: an early success is worth more in all of its steps.
 *
 *   r[t] = γ^(T_i − 1 − t)·o     o: outcome score, which is never negative
 *
 * In the paper every step is a sample of its own, compared with all steps of its task group: that is the credit “Steps as
 * samples”. Where all members fail alike, nothing is learned.
 */
export const eapo = defineReward({
  id: 'eapo',
  title: 'Discounted outcome (EAPO)',
  rev: 1,
  kind: 'replacing',
  source: { title: 'IterResearch', arxiv: '2511.07327', level: 'digest' },
  needs: ['outcomeScore', 'length'],
  formula: 'r ← γ^(T_i − 1 − t)·o in every step',
  look: 'With the credit “Steps as samples”, successes get short; it finds no success by itself.',
  also: 'efficiency, short paths, fewer steps, time penalty',
  params: settings({
    gamma: {
      kind: 'number',
      label: 'Discount',
      default: 0.97,
      min: 0,
      max: 1,
      doc: 'What is left of the outcome for each step before the end.',
      formula: 'γ',
    },
  }),
  run({ B, T, length, outcomeScore }, { gamma }, out) {
    for (let i = 0; i < B; i++) {
      let left = outcomeScore![i]!;
      for (let k = i * T + length[i]! - 1; k >= i * T; k--, left *= gamma) out[k] = left;
    }
  },
  scratch: () => 2,
  gpu: (ops, { gamma }) => ops.returnsToGo(ops.atEnd(ops.signal('outcomeScore')), gamma),
});
