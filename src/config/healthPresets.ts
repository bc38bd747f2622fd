import type { Preset } from './presets.ts';

/** An experiment that goes wrong in one way: the condition of the health monitor that it raises, and no other. */
export type HealthPreset = Preset & { readonly alarm: string };

const cliff = { 'task.grid.level': 'cliff', 'task.grid.w': 6, 'task.grid.h': 3 };
const plain = { 'objective.method': 'reinforce', 'optimizer.method': 'sgd', 'optimizer.clipNorm': 0 };

const list: readonly Omit<HealthPreset, 'group'>[] = [
  {
    id: 'alarm-non-finite',
    alarm: 'nonFinite',
    title: 'Out of the numbers',
    look: 'A critic, four steps a batch, a huge rate and no clip: within a few updates the weights would leave the numbers.',
    changes: {
      'advantage.method': 'gae',
      'objective.epochs': 4,
      'objective.valueClip': 0,
      'optimizer.method': 'sgd',
      'optimizer.learningRate': 3,
      'optimizer.clipNorm': 0,
      'run.updates': 20,
    },
  },
  {
    id: 'alarm-entropy',
    alarm: 'entropyCollapse',
    title: 'Certain too early',
    look: 'Every step costs, falling is free: the agent is soon sure that jumping is best, and never looks for the goal again.',
    changes: { ...cliff, 'reward.grid.step': -20, 'task.grid.slip': [1, 8, 1], 'run.updates': 40 },
  },
  {
    id: 'alarm-template',
    alarm: 'templateCollapse',
    title: 'The same answer to everything',
    look: 'It starts from solutions, with a bonus for doubt that outweighs all credit: entropy is high, and no state matters.',
    changes: {
      'task.grid.maxSteps': 8,
      'task.rewardNoise': 0.05,
      'policy.cloneEpisodes': 4,
      'policy.cloneSteps': 10,
      'objective.entropyCoef': 1,
      'run.updates': 30,
    },
  },
  {
    id: 'alarm-ess',
    alarm: 'lowEss',
    title: 'Eight long steps on one batch',
    look: 'Eight optimizer steps at seven times the usual rate: after each update a few episodes carry all the weight.',
    changes: { 'objective.epochs': 8, 'optimizer.learningRate': 0.02, 'run.updates': 20 },
  },
  {
    id: 'alarm-replay',
    alarm: 'replayDrift',
    title: 'Learning from what it no longer does',
    look: 'Batches are eight updates old: before a step is taken, few of their episodes are still what the policy would do.',
    changes: {
      'objective.method': 'decoupled',
      'rollout.staleness': 8,
      'run.updates': 20,
    },
  },
  {
    id: 'alarm-ratio',
    alarm: 'ratioDrift',
    title: 'Blame for everything that was tried',
    look: 'Four episodes, each worse than the greedy one, and a very long step: what was tried becomes unlikely at once.',
    changes: {
      ...plain,
      'task.method': 'textmaze',
      'task.textmaze.maxSteps': 4,
      'reward.textmaze.invalid': -100,
      'rollout.tasksPerBatch': 1,
      'rollout.groupSize': 4,
      'advantage.method': 'remax',
      'optimizer.learningRate': 4,
      'run.updates': 12,
    },
  },
  {
    id: 'alarm-silent',
    alarm: 'silentGroups',
    title: 'Nobody ever gets there',
    look: 'Forty steps to the goal, and chance hardly ever walks them: all members of a group fail alike.',
    changes: { 'task.grid.level': 'corridor', 'task.grid.n': 40, 'run.updates': 16 },
  },
  {
    id: 'alarm-drop',
    alarm: 'successDrop',
    title: 'Success learned and lost',
    look: 'First the goal is found in every episode; then the agent learns that the bonus tile pays more.',
    changes: {
      'task.grid.level': 'bonusRoom',
      'reward.grid.bonus': 300,
      'optimizer.learningRate': 0.005,
      'run.updates': 50,
    },
  },
  {
    id: 'alarm-gradient',
    alarm: 'gradientSpike',
    title: 'The first jackpot',
    look: 'Rewards are a little noise, until somebody finds the goal, worth a thousand times as much, with credit not normalized.',
    changes: {
      'task.grid.level': 'corridor',
      'task.grid.n': 36,
      'task.rewardNoise': 0.01,
      'reward.grid.goal': 10000,
      'advantage.method': 'drGrpo',
      'optimizer.learningRate': 0.001,
      'run.updates': 22,
    },
  },
  {
    id: 'alarm-panel',
    alarm: 'panelDrift',
    title: 'Learned by heart',
    look: 'One map of four rooms to train on, eight others to look at: success grows on the one and stalls on the others.',
    changes: {
      'task.grid.level': 'fourRooms',
      'task.grid.n': 9,
      'task.levels': 1,
      'rollout.tasksPerBatch': 8,
      'rollout.groupSize': 4,
      'analysis.evalEvery': 2,
      'analysis.heldOut': true,
      'run.updates': 44,
    },
  },
];

/** One experiment for each condition of the health monitor. */
export const healthPresets: readonly HealthPreset[] = list.map((p) => ({ group: 'Health alarms', ...p }));
