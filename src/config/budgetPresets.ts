import type { Preset } from './presets.ts';

/** Rooms with a goal somewhere: a few of the ten levels are near enough to be found by chance. */
const ROOMS = {
  ...{ 'task.grid.level': 'fourRooms', 'task.levels': 10, 'task.grid.maxSteps': 40, 'advantage.method': 'grpo' },
  ...{ 'rollout.tasksPerBatch': 6, 'rollout.groupSize': 8, 'run.updates': 150 },
};

/** Where the episodes of an update go. */
export const budgetPresets: readonly Preset[] = [
  {
    id: 'rooms-dynamic-sampling',
    title: 'Four rooms, dynamic sampling · GRPO',
    look: 'No group of the batch agrees, and every update costs more steps, most at the start and at the end. Compare training success with success of everything played.',
    changes: { ...ROOMS, 'rollout.method': 'dynamicSampling' },
  },
  {
    id: 'rooms-knapsack',
    title: 'Four rooms, budgets by success · GRPO',
    look: 'Once levels are known, solved ones get two episodes and hard ones most of the batch. “Tasks by success” under Structure shows who gets what.',
    changes: { ...ROOMS, 'source.method': 'knapsack', 'revise.clipCredit.on': true },
  },
  {
    id: 'rooms-knapsack-unseen',
    title: 'Four rooms, budgets for unseen levels · GRPO',
    look: 'Every level is new, and its success is predicted from levels like it: the loss is about 0.55 nats per task, that of the mean 0.64. “Tasks by success” holds the predictions to what came.',
    changes: {
      ...{ ...ROOMS, 'task.levels': 0, 'source.method': 'knapsack', 'source.knapsack.unseen': 'predicted' },
      'revise.clipCredit.on': true,
    },
  },
  {
    id: 'rooms-predicted',
    title: 'Four rooms, levels by predicted success · PPO',
    look: 'Of 24 new levels the six least certain are played. The loss of the prediction is 0.66 nats per task, that of the mean 0.69; the critic, which is trained along, starts at 1.2 and stays at 0.8.',
    changes: { ...ROOMS, 'task.levels': 0, 'source.method': 'predicted', 'advantage.method': 'gae' },
  },
  {
    id: 'rooms-second-tries',
    title: 'Four rooms, second tries by value · GRPO',
    look: 'Groups that agree give their episodes to hard tasks of the same batch: at most twice the steps, and no new tasks.',
    changes: { ...ROOMS, 'rollout.method': 'valueResampling' },
  },
  {
    id: 'rooms-best-and-worst',
    title: 'Four rooms, best and worst of a group · GRPO',
    look: 'Sixteen episodes are played, eight train. With “Statistics over” the kept ones the baseline moves toward ½, whatever the group’s success.',
    changes: { ...ROOMS, 'rollout.groupSize': 16, 'rollout.method': 'contrast' },
  },
];
