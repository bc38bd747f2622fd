import { named } from '../../../contract/state.ts';
import { settings } from '../../../core/settings.ts';
import { netState } from '../../reward/learned/net.ts';
import { episodeStore } from '../again/episodeStore.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

export const vscSettings = settings({
  kept: {
    ...{ kind: 'integer', label: 'Buffer size', default: 256, min: 8, max: 4096, scale: 'log' },
    doc: 'Episodes remembered, good and bad ones; the oldest makes room.',
  },
  rows: {
    ...{ kind: 'integer', label: 'Episodes read again', default: 16, min: 1, max: 512, scale: 'log' },
    doc: 'Stored episodes that critic and policy learn from at a time; steps are drawn alike.',
  },
  base: {
    ...{ kind: 'number', label: 'Decay', default: 0.5, min: 0, max: 1, formula: 'β' },
    doc: 'Each step further from the subgoal that was reached counts this much less.',
  },
  margin: {
    ...{ kind: 'number', label: 'Rise required', default: 0.05, min: -1, max: 1, formula: 'm' },
    doc: 'Where nothing was reached, a step is kept if the critic’s chance of success rises by more.',
  },
  looks: {
    ...{ kind: 'integer', label: 'Steps of the critic', default: 20, min: 1, max: 500, scale: 'log' },
    doc: 'Optimizer steps of the critic after each batch.',
  },
  sample: {
    ...{ kind: 'integer', label: 'Steps per critic step', default: 64, min: 1, max: 1024, scale: 'log' },
    doc: 'Replayed steps that one step of the critic averages over.',
  },
  criticRate: {
    ...{ kind: 'number', label: 'Rate of the critic', default: 0.01, min: 0.0001, max: 1, scale: 'log' },
    doc: 'Learning rate of the critic, which has a separate optimizer (Adam).',
  },
  turns: {
    ...{ kind: 'integer', label: 'Steps of the policy', default: 3, min: 1, max: 64, scale: 'log' },
    doc: 'Optimizer steps of the policy after each batch.',
  },
  reference: {
    ...{ kind: 'number', label: 'Pull to old episodes', default: 0, min: 0, max: 1, formula: 'w' },
    doc: 'How much steps that are not kept are imitated; the paper’s divergence, off in the code.',
  },
  rate: {
    ...imitationRate,
    label: 'Rate of the policy',
    doc: 'Learning rate of the policy in multiples of that of the run.',
  },
});

const { weightsBefore: _weights, restBefore: _rest, ...critic } = netState as Required<typeof netState>;

/**
 * Subgoals in an order; whoever reaches one is paid 1, and the next one is active. Stored episodes are cut after every subgoal
 * that was reached (or after success), and the policy imitates those of their steps that led to one or seem to:
 *
 *   mc = β^(steps to the end of the part), 0 after the last one      V(o, g): cross-entropy on 1[mc > 0]
 *   kept if V(o′, g) − V(o, g) − m + r + mc > 0                      L = −mean log π(a|o, g) over kept steps
 *
 * The bound that is maximized also has a divergence from a reference policy; the released code leaves it out. Here it is
 * imitation, with weight w, of what is not kept: the reference is whoever played the stored episodes.
 */
export const vscRl = defineRollout({
  id: 'vscRl',
  title: 'Imitate what leads to subgoals (VSC-RL)',
  rev: 1,
  source: { title: 'VSC-RL: Variational Subgoal-Conditioned RL', arxiv: '2502.07949', level: 'code' },
  formula: 'keep a step if V(o′, g) − V(o, g) − m + r + mc > 0;  L = −log π(a|o, g)',
  look: 'Subgoals are reached one after the other. Of steps that led to none, few are kept.',
  also: 'subgoal-conditioned, variational, filtered cloning, behavior cloning, VLM agent',
  finePrint: [
    {
      on: 'divergence from a reference',
      paper: 'It is part of the bound.',
      code: 'The term is commented out.',
      lab: 'It is off; it can be turned on as imitation of stored episodes.',
    },
    {
      on: 'who sets the subgoals',
      paper: 'A vision-language model splits the task.',
      code: 'The same.',
      lab: 'The solver’s order, or the policy’s own subgoals.',
    },
  ],
  params: vscSettings,
  wants: 'decides',
  metrics: ['imitatedRows', 'keptSteps', 'keptUnfinished', 'successLoss'],
  warns: () => 'trains on stored episodes alone: advantage and objective do nothing',
  state: ({ kept }) => ({
    ...episodeStore(kept),
    reached: { type: 'u8', per: 'step', width: kept, onFork: ['tasks'] },
    ...named('critic', critic),
    ...IMITATION,
  }),
  beside: ({ rows }) => ({ again: 0, imitated: rows }),
  memory: async () => (await import('./vscMemory.ts')).vscMemory,
});
