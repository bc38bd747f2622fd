import { settings } from '../../../core/settings.ts';
import { episodeStore } from '../again/episodeStore.ts';
import { IMITATION, imitationRate } from '../memory/types.ts';
import { defineRollout } from '../types.ts';

export const weightedReplaySettings = settings({
  rows: {
    kind: 'integer',
    label: 'Episodes imitated',
    default: 16,
    min: 1,
    max: 512,
    scale: 'log',
    doc: 'Stored episodes that one step after each update imitates; an episode may be drawn twice.',
  },
  kept: {
    kind: 'integer',
    label: 'Buffer size',
    default: 256,
    min: 8,
    max: 4096,
    scale: 'log',
    doc: 'Episodes remembered, good and bad ones; the oldest makes room.',
  },
  temperature: {
    kind: 'number',
    label: 'Temperature',
    default: 0.1,
    min: 0.01,
    max: 100,
    scale: 'log',
    doc: 'Small: almost only the best episodes are drawn. Large: all alike.',
    formula: 'α',
  },
  compared: {
    kind: 'choice',
    label: 'Returns compared',
    default: 'all',
    options: ['all', 'level'],
    optionLabels: ['as they are', 'above the mean of the level'],
    doc: 'The second is for tasks of different difficulty: an easy level does not crowd out a hard one.',
  },
  draws: {
    kind: 'choice',
    label: 'Drawn are',
    default: 'episodes',
    options: ['episodes', 'steps'],
    optionLabels: ['episodes', 'episodes, in proportion to their steps'],
    doc: 'The released code weighs single steps, so that an episode of T steps counts T times.',
  },
  rate: imitationRate,
});

/**
 * After each update one step imitates stored episodes, drawn by what they earned:
 *
 *   P(i) ∝ exp(R̂[i]/α)    R̂: returns stretched to 0 … 1, or above the mean of the stored episodes of their level
 *   L = −mean log π(a|o) over their steps
 *
 * The mean of the level is this lab’s stand-in for a value of the start state that is fitted to the data.
 */
export const weightedReplay = defineRollout({
  id: 'weightedReplay',
  title: 'Replay weighted by return',
  rev: 2,
  source: { title: 'Harnessing mixed offline datasets via trajectory weighting', arxiv: '2306.13085', level: 'code' },
  formula: 'P(i) ∝ exp(R̂[i]/α)',
  look: 'Rare good episodes are imitated again and again; with a large α, average ones are, and nothing improves.',
  params: weightedReplaySettings,
  metrics: ['imitatedRows'],
  state: ({ kept }) => ({ ...episodeStore(kept), ...IMITATION }),
  beside: ({ rows }) => ({ again: 0, imitated: rows }),
  memory: async () => (await import('./weightedReplayMemory.ts')).weightedReplayMemory,
});
