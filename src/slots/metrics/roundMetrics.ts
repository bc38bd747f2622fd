import { defineMetrics } from './types.ts';

/** What a rollout says about itself that plays further rounds of a batch, or forks. */
export const roundMetrics = defineMetrics([
  {
    id: 'rounds',
    title: 'Rounds played',
    group: 'data',
    unit: 'rounds',
    doc: 'How many times episodes were played before the batch was complete, the first round included.',
    look: '1: the first round was enough. Many rounds at the start and at the end of training are usual, and each one costs.',
  },
  {
    id: 'episodesPlayed',
    title: 'Episodes played',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes that were played for the update, with those that were dropped; their steps are charged.',
    look: 'Equal to the batch when nothing is dropped.',
  },
  {
    id: 'playedSuccess',
    title: 'Success of everything played',
    group: 'data',
    unit: 'share of episodes',
    doc: 'Success over all episodes of the update. Training success counts those only that stayed in the batch.',
    look: 'The honest curve. Training success is pulled toward ½ where groups that agree are dropped.',
    range: [0, 1],
  },
  {
    id: 'trainedShare',
    title: 'Episodes that train',
    group: 'data',
    unit: 'share of the batch',
    doc: 'Share of the episodes of the batch that the objective learns from.',
    look: '1 where all of them train; 0 in an update that changes nothing.',
    range: [0, 1],
  },
  {
    id: 'independent',
    title: 'Independent episodes',
    group: 'data',
    unit: 'share of the batch',
    doc: 'Episodes that are independent as far as shared beginnings go: (Σn)²/Σn² over families of n, a root and its forks.',
    look: '1/2 where each episode was forked once. Statistics of a batch are no surer than that number of episodes makes them.',
    range: [0, 1],
  },
]);
