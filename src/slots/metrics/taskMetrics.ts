import { defineMetrics } from './types.ts';

/** What a task source says about itself, and what reward modules make of the return. */
export const taskMetrics = defineMetrics([
  {
    id: 'replayShare',
    title: 'Replayed tasks',
    group: 'data',
    unit: 'share of tasks',
    doc: 'Tasks of the batch whose level had been played before and was chosen by its score or its age.',
    look: '0 during the warm-up. 1 once every level has been seen; then the scores alone decide what is played.',
    range: [0, 1],
  },
  {
    id: 'levelsSeen',
    title: 'Levels seen',
    group: 'data',
    unit: 'levels',
    doc: 'Levels with a score before the update; if levels never run out, those that are remembered.',
    look: 'Rises to the number of different levels. The slower it rises, the more is replayed.',
  },
  {
    id: 'levelScore',
    title: 'Mean score of a level',
    group: 'data',
    unit: 'score',
    doc: 'Mean score of the levels seen so far, before the update; a gap in the first one.',
    look: 'Falls as levels are mastered. Near 0 from the start: the score sees nothing to learn anywhere.',
  },
  {
    id: 'shapedReturn',
    title: 'Shaped return',
    group: 'live',
    unit: 'reward per episode',
    doc: 'Mean return of the batch as the reward modules make it, before it is normalized or pays for the reference.',
    look: 'Rises with success. Where it rises and success falls, the reward is farmed.',
  },
  {
    id: 'againRows',
    title: 'Episodes played again',
    group: 'data',
    unit: 'episodes',
    doc: 'Stored episodes that trained beside the batch, at no step of the world.',
    look: '0 until something was worth storing; 0 again once the policy does better than what is stored.',
  },
  {
    id: 'againKept',
    title: 'Stored and still good',
    group: 'data',
    unit: 'share of stored episodes',
    doc: 'Stored episodes that are still better than the median of the group means.',
    look: 'Falls as the policy improves: what was a lucky success becomes usual. A gap: nothing is stored.',
    range: [0, 1],
  },
  {
    id: 'imitatedRows',
    title: 'Episodes imitated',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes whose actions were imitated in steps of their own after the update.',
    look: 'Single peaks, whenever enough has been collected. Falls to 0 as fewer tasks fail.',
  },
]);
