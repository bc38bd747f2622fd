import { settings } from '../../../core/settings.ts';
import { episodeStore } from '../again/episodeStore.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

export const hindsightSettings = settings({
  rows: {
    kind: 'integer',
    label: 'Relabelled episodes',
    default: 32,
    min: 1,
    max: 512,
    scale: 'log',
    doc: 'Pieces of stored episodes that one step after each update imitates.',
  },
  kept: {
    kind: 'integer',
    label: 'Buffer size',
    default: 256,
    min: 8,
    max: 4096,
    scale: 'log',
    doc: 'Episodes remembered, failures too; the oldest makes room.',
  },
  rate: {
    ...imitationRate,
    label: 'Weight of imitation',
    default: 0.5,
    doc: 'Learning rate of the imitation step, in multiples of that of the run.',
    formula: 'λ',
  },
});

/**
 * Whatever an episode reached, it shows how to reach that: after each update one step imitates stored episodes that are asked for
 * what they did bring about.
 *
 *   t uniform in [0, T_i), t′ uniform in (t, T_i]      g′ := what s_{t′} brings about
 *   L = −mean log π(a | o, g′) over the steps t … t′ − 1
 *
 * The whole episode is played again with g′ in what is seen, and its other steps do not count. It never divides by what the policy
 * thought of the old goal, and success is measured on the true one. The rule “future” is that of HER (1707.01495).
 */
export const hindsight = defineRollout({
  id: 'hindsight',
  title: 'Goals in hindsight (Act2Goal)',
  rev: 1,
  source: {
    title: 'Act2Goal: From World Model To General Goal-conditioned Policy',
    arxiv: '2512.23541',
    level: 'restated',
  },
  formula: 'g′ := what s_{t′} reached, t′ > t;  L = −λ·log π(a|o, g′)',
  look: 'Failures teach the way to where they ended, long before the first success.',
  also: 'HER, hindsight experience replay, relabelling, goal-conditioned',
  params: hindsightSettings,
  wants: 'goals',
  metrics: ['imitatedRows', 'goalsReached'],
  state: ({ kept }) => ({ ...episodeStore(kept), ...IMITATION }),
  beside: ({ rows }) => ({ again: 0, imitated: rows }),
  memory: async () => (await import('./hindsightMemory.ts')).hindsightMemory,
});
