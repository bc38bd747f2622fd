import { settings } from '../../../core/settings.ts';
import { TASK } from '../again/storedTask.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

export const reliftSettings = settings({
  size: {
    kind: 'integer',
    label: 'Failed tasks collected',
    default: 16,
    min: 1,
    max: 256,
    scale: 'log',
    doc: 'Once this many tasks have failed, one step imitates the solver on all of them.',
  },
  rate: imitationRate,
});

/**
 * Tasks whose whole group failed are collected. When there are `size` of them, one step imitates the solver on the newest:
 *
 *   L = −mean log π(a|o) over the steps of their solutions
 *
 * It has an Adam of its own. Tasks that the solver does not solve within the step limit are left out. The solver is asked
 * only about tasks that the policy cannot do yet, so demonstrations become rarer by themselves.
 */
export const relift = defineRollout({
  id: 'relift',
  title: 'Solutions of failed tasks (ReLIFT)',
  rev: 2,
  source: { title: 'Learning What Reinforcement Learning Can’t', arxiv: '2506.07527', level: 'abstract' },
  formula: 'L = −mean log π(a*|o) on failed tasks',
  look: 'Success starts right after the first peak of imitated episodes; the peaks become rarer.',
  params: reliftSettings,
  metrics: ['imitatedRows'],
  state: ({ size }) => ({
    waiting: { type: 'f64', per: 'replica', width: 2 * size * TASK, onFork: ['tasks'] },
    starts: { type: 'u32', per: 'word', width: 2 * size, onFork: ['tasks'] },
    ...IMITATION,
  }),
  beside: ({ size }) => ({ again: 0, imitated: size }),
  memory: async () => (await import('./reliftMemory.ts')).reliftMemory,
});
