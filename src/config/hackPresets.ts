import type { Preset } from './presets.ts';

/** The world of all pairs: key and door on a table, twice the usual time to waste, one step per batch. */
const room = {
  ...{ 'task.grid.maxSteps': 60, 'task.levels': 1, 'policy.method': 'tabular', 'advantage.method': 'grpo' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8, 'optimizer.learningRate': 0.1, 'run.updates': 90 },
};
const toGo = { ...room, 'advantage.method': 'reinforcePP', 'advantage.reinforcePP.gamma': 0.97 };
/** A thought before each action, and what follows a step counts for it. */
const thinking = { ...toGo, 'task.thoughts.on': true };

const list: readonly Omit<Preset, 'group'>[] = [
  {
    id: 'hack-direct',
    title: 'Key and door, every step paid (D-RA) · GRPO',
    look: 'Possible and new steps are paid whatever comes of them: the shaped return rises while success falls.',
    changes: { ...room, 'reward.gra.on': true, 'reward.gra.gate': 'open', 'reward.gra.accumulate': 'sum' },
  },
  {
    id: 'hack-direct-mended',
    mends: 'hack-direct',
    title: 'Key and door, gated mean (G-RA) · GRPO',
    look: 'The same critics, averaged over the episode and only where it got somewhere: both curves rise together.',
    changes: { ...room, 'reward.gra.on': true },
  },
  {
    id: 'hack-progress',
    title: 'Key and door, one-sided progress · REINFORCE++',
    look: 'A step forward is paid and a step back is free: the agent walks to and fro in front of the goal.',
    changes: { ...toGo, 'reward.progress.on': true, 'reward.progress.w': 3 },
  },
  {
    id: 'hack-progress-mended',
    mends: 'hack-progress',
    title: 'Key and door, potential shaping · REINFORCE++',
    look: 'A step back costs what the step forward earned: nothing can be farmed, and every seed finds the goal.',
    changes: { ...toGo, 'reward.pbrs.on': true, 'reward.pbrs.w': 3, 'reward.pbrs.gamma': 0.97 },
  },
  {
    id: 'hack-ladder',
    title: 'Key and door, ladder that counts steps · GRPO',
    look: 'A tenth for each possible action, and no rung that must be reached: the agent walks until time is up.',
    changes: {
      ...room,
      ...{ 'reward.ladder.on': true, 'reward.ladder.gated': false },
      ...{ 'reward.ladder.count': 'number', 'reward.ladder.w2': 0.1 },
    },
  },
  {
    id: 'hack-ladder-mended',
    mends: 'hack-ladder',
    title: 'Key and door, ladder of shares · GRPO',
    look: 'The share of possible actions counts, and only once the outcome does: success first, then a clean short path.',
    changes: { ...room, 'reward.ladder.on': true },
  },
  {
    id: 'hack-reflect',
    title: 'Key and door, thoughts pay 1 · REINFORCE++',
    look: 'Bump and reflect: the agent walks into a wall in order to reflect on it, until time is up.',
    changes: { ...thinking, 'reward.tagReward.on': true, 'reward.tagReward.w': 1 },
  },
  {
    id: 'hack-reflect-mended',
    mends: 'hack-reflect',
    title: 'Key and door, thoughts pay 0.01 · REINFORCE++',
    look: 'All thoughts of an episode pay less than the goal: success first, and few bumps.',
    changes: { ...thinking, 'reward.tagReward.on': true, 'reward.tagReward.w': 0.01 },
  },
];

/** Rewards that are farmed, each followed by its mended twin. */
export const hackPresets: readonly Preset[] = list.map((p) => ({ group: 'Reward hacking', ...p }));
