import { settings } from '../../core/settings.ts';
import { delayed, waitingReward } from '../../envs/perturb/delayed.ts';
import { defineWrapper, i32, u32 } from './types.ts';

/**
 * The action that acts at t is the one that was chosen at t − d. Before that nothing happens: no effect, the reward of a
 * step, and the clock ticks. What is still to come is part of the state, and is not seen.
 */
export const actionDelay = defineWrapper({
  id: 'actionDelay',
  title: 'Action delay',
  rev: 1,
  source: { title: 'NeoRL-2', arxiv: '2503.19267', level: 'text' },
  formula: 'a acts at t + d',
  look: 'The agent still follows older decisions: it overshoots corners until it learns to plan ahead.',
  params: settings({
    actionDelay: {
      kind: 'integer',
      group: 'Perturbations',
      label: 'Action delay',
      default: 0,
      min: 0,
      max: 3,
      unit: 'steps',
      doc: 'Steps between choosing an action and its effect; until then nothing happens.',
    },
  }),
  isOff: ({ actionDelay: d }) => d === 0,
  world: (env, { actionDelay: d }, rewards) => delayed(env, d, waitingReward(rewards)),
  wgsl: async () => (await import('./actionDelay.wgsl?raw')).default,
  constants: ({ actionDelay: d }, { words, rewards }) => ({
    ...{ DELAY: u32(d), WORDS: u32(words) },
    WAITING: i32(waitingReward(rewards)),
  }),
});
