import { defineMetrics } from './types.ts';

/** What a task source says about itself that gives tasks different numbers of episodes. */
export const budgetMetrics = defineMetrics([
  {
    id: 'largestGroup',
    title: 'Largest group',
    group: 'data',
    unit: 'episodes',
    doc: 'Episodes of the task that got most of the batch.',
    look: 'The group size in the first updates, where nothing is known; then several times as much on hard levels.',
  },
  {
    id: 'levelsKnown',
    title: 'Tasks with a known success',
    group: 'data',
    unit: 'share of tasks',
    doc: 'Tasks of the batch whose level has enough outcomes for an estimate of its success.',
    look: '0 at first, then 1 once every level has come back a few times. With endless levels it stays 0.',
    range: [0, 1],
  },
  {
    id: 'usefulPlanned',
    title: 'Useful groups, as planned',
    group: 'data',
    unit: 'share of groups',
    doc: 'Mean chance of a group with successes and failures, by the estimates that decided on the budgets.',
    look: 'Above the even line where solved and hopeless levels are in the mix. It may be below it: what counts is the gain, not the share.',
    range: [0, 1],
  },
  {
    id: 'usefulEven',
    title: 'Useful groups, if all were equal',
    group: 'data',
    unit: 'share of groups',
    doc: 'The same chance if every task had the same number of episodes.',
    look: 'What the budgets are compared with.',
    range: [0, 1],
  },
  {
    id: 'predictionLoss',
    title: 'Loss of the prediction',
    group: 'data',
    unit: 'nats per task',
    doc: 'Mean log loss of the success that was predicted for the tasks of the update before, from levels like them.',
    look: 'Below the loss of the mean: what a level looks like says how hard it is.',
  },
  {
    id: 'meanLoss',
    title: 'Loss of the mean',
    group: 'data',
    unit: 'nats per task',
    doc: 'The same loss if every task were predicted to succeed as often as the remembered ones did on average.',
    look: 'What a prediction has to beat.',
  },
]);
