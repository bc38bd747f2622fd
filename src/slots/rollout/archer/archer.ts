import { settings } from '../../../core/settings.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';
import { replayedSteps } from './replayedSteps.ts';
import { twinState } from './twinState.ts';

export const archerSettings = settings({
  kept: {
    ...{ kind: 'integer', label: 'Buffer size', default: 256, min: 8, max: 4096, scale: 'log' },
    doc: 'Episodes remembered, good and bad ones; the oldest makes room.',
  },
  rows: {
    ...{ kind: 'integer', label: 'Episodes read again', default: 16, min: 1, max: 512, scale: 'log' },
    doc: 'Stored episodes that the critics, and each step of the policy, learn from; steps are drawn alike.',
  },
  gamma: {
    ...{ kind: 'number', label: 'Discount', default: 0.95, min: 0, max: 1 },
    doc: 'How much a reward one step later counts; the class of the released code has 0.9.',
    formula: 'γ',
  },
  tau: {
    ...{ kind: 'number', label: 'Soft update', default: 0.1, min: 0.001, max: 1, scale: 'log' },
    doc: 'How far the slow copies of the critics follow after each of their steps.',
    formula: 'τ',
  },
  looks: {
    ...{ kind: 'integer', label: 'Steps of the critics', default: 50, min: 1, max: 500, scale: 'log' },
    doc: 'Optimizer steps of both Q and both V after each batch.',
  },
  sample: {
    ...{ kind: 'integer', label: 'Steps per critic step', default: 64, min: 1, max: 1024, scale: 'log' },
    doc: 'Replayed steps that one step of the critics averages over.',
  },
  criticRate: {
    ...{ kind: 'number', label: 'Rate of the critics', default: 0.01, min: 0.0001, max: 1, scale: 'log' },
    doc: 'Learning rate of the critics, which have separate optimizers (Adam).',
  },
  turns: {
    ...{ kind: 'integer', label: 'Steps of the policy', default: 3, min: 1, max: 64, scale: 'log' },
    doc: 'Optimizer steps of the policy after each batch; each draws fresh actions.',
  },
  warmup: {
    ...{ kind: 'integer', label: 'Critics alone', default: 20, min: 0, max: 1000, unit: 'updates' },
    doc: 'Updates at the start in which only the critics learn; rare rewards need them.',
  },
  rate: {
    ...imitationRate,
    label: 'Rate of the policy',
    doc: 'Learning rate of the policy in multiples of that of the run.',
  },
  batch: {
    kind: 'choice',
    label: 'New batches',
    default: 'stored',
    options: ['stored', 'trained'],
    optionLabels: ['are only stored', 'also train, with the credit of the run'],
    doc: 'The paper trains on replayed steps alone; then credit and objective below are idle.',
  },
});

/**
 * An off-policy actor–critic over whole actions, whose actor writes words. Two critics Q and V with slow copies Q̄ and V̄:
 *
 *   Q_h → r + γ(1 − done)·V̄_h(o′)      V_h → Q̄_h(o, ã),  ã ~ π(·|o) of now      Q̄, V̄ ← (1 − τ)·old + τ·new
 *   A = min(Q₁, Q₂)(o, ã) − min(V₁, V₂)(o)        L = −mean A·Σ_words log π(ã|o)
 *
 * Observations are those of stored episodes, actions are drawn anew, so there is no ratio. Only the actor takes the smaller
 * critic. Episodes that were cut bootstrap. With one word per action it is a plain off-policy actor–critic.
 */
export const archer = defineRollout({
  id: 'archer',
  title: 'Replay with two critics (ArCHer)',
  rev: 1,
  source: {
    title: 'ArCHer: Training Language Model Agents via Hierarchical Multi-Turn RL',
    arxiv: '2402.19446',
    level: 'code',
  },
  formula: 'A = min(Q₁, Q₂)(o, ã) − min(V₁, V₂)(o),  ã ~ π(·|o)',
  look: 'Nothing happens while the critics learn alone; then success rises within few steps of the world.',
  also: 'off-policy, replay buffer, actor–critic, SAC, sample efficiency, utterance',
  finePrint: [
    {
      on: 'discount',
      paper: 'Not said.',
      code: 'It is 0.9 in the class and 0.95 in the config.',
      lab: 'It is 0.95.',
    },
    {
      on: 'targets of the critics',
      paper: 'Not said.',
      code: 'Each critic learns from its own slow copy, without the minimum.',
      lab: 'As the code: only the actor takes the smaller one.',
    },
  ],
  params: archerSettings,
  metrics: ['imitatedRows', 'criticError', 'freshAdvantage'],
  state: ({ kept }) => ({ ...replayedSteps(kept), ...twinState, ...IMITATION }),
  beside: ({ rows }) => ({ again: 0, imitated: rows }),
  memory: async () => (await import('./archerMemory.ts')).archerMemory,
});
