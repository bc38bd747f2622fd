import type { Preset } from './presets.ts';

/** An experiment that goes wrong in one way: the condition of the health monitor that it raises, and no other. */
export type HealthPreset = Preset & { readonly alarm: string };

const cliff = { 'task.grid.level': 'cliff', 'task.grid.w': 6, 'task.grid.h': 3 };
const plain = { 'objective.method': 'reinforce', 'optimizer.method': 'sgd', 'optimizer.clipNorm': 0 };

const list: readonly Omit<HealthPreset, 'group'>[] = [
  {
    id: 'alarm-non-finite',
    alarm: 'nonFinite',
    title: 'Key and door, overflow · PPO with critic',
    look: 'A critic, four steps per batch, a huge learning rate and no clip: within a few updates the weights would overflow.',
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
    title: 'Cliff walk, certain too early · GiGPO',
    look: 'Every step costs and falling is free, so the agent soon settles on jumping and never looks for the goal again.',
    changes: { ...cliff, 'reward.grid.step': -20, 'task.grid.slip': [1, 8, 1], 'run.updates': 40 },
  },
  {
    id: 'alarm-template',
    alarm: 'templateCollapse',
    title: 'Key and door, one answer for all · GiGPO',
    look: 'It starts from solutions, but an entropy bonus outweighs all credit: entropy is high, and the state no longer matters.',
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
    title: 'Key and door, eight long steps · GiGPO',
    look: 'Eight optimizer steps at seven times the usual rate: after each update, a few episodes carry all the weight.',
    changes: { 'objective.epochs': 8, 'optimizer.learningRate': 0.02, 'run.updates': 20 },
  },
  {
    id: 'alarm-replay',
    alarm: 'replayDrift',
    title: 'Key and door, stale batches · Decoupled PPO',
    look: 'Batches are eight updates old: even before the first step, few of their episodes are what the policy would do now.',
    changes: {
      'objective.method': 'decoupled',
      'rollout.staleness': 8,
      'run.updates': 20,
    },
  },
  {
    id: 'alarm-ratio',
    alarm: 'ratioDrift',
    title: 'Text-maze, all tries blamed · ReMax',
    look: 'Four episodes, each worse than the greedy one, and a very long step: whatever was tried becomes unlikely at once.',
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
    title: 'Corridor of 40 · GiGPO',
    look: 'The goal is forty steps away, and random walks hardly ever reach it: all members of a group fail alike.',
    changes: { 'task.grid.level': 'corridor', 'task.grid.n': 40, 'run.updates': 16 },
  },
  {
    id: 'alarm-hacking',
    alarm: 'rewardHacking',
    title: 'Key and door, success farmed · REINFORCE++',
    look: 'Every step forward is paid again: first all episodes reach the goal, then the agent learns to walk to and fro.',
    changes: {
      ...{ 'task.grid.maxSteps': 60, 'task.levels': 1, 'policy.method': 'tabular', 'advantage.method': 'reinforcePP' },
      ...{ 'advantage.reinforcePP.gamma': 0.97, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8 },
      ...{ 'reward.progress.on': true, 'optimizer.learningRate': 0.1, 'run.updates': 70 },
    },
  },
  {
    id: 'alarm-drop',
    alarm: 'successDrop',
    title: 'Bonus room, success lost · GiGPO',
    look: 'At first every episode reaches the goal; then the agent learns that the bonus tile pays more.',
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
    title: 'Corridor of 36, first jackpot · Dr. GRPO',
    look: 'Rewards are faint noise until one episode finds the goal, worth a thousand times as much; credit is not normalized.',
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
    title: 'Four rooms, learned by heart · GiGPO',
    look: 'Training uses one map of four rooms, evaluation eight others: success rises on the one and stalls on the others.',
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
  {
    id: 'alarm-hierarchy',
    alarm: 'hierarchyCollapse',
    title: 'Small room, no subgoal is kept · GRPO',
    look: 'Keeping a subgoal costs two hundredths each step, so the planner takes a new one before every action: the switch rate goes to 1.',
    changes: {
      ...{ 'task.grid.level': 'custom', 'task.grid.text': 'S.a\n.G.\n...', 'task.grid.maxSteps': 12 },
      ...{ 'task.subgoals.on': true, 'advantage.method': 'grpo', 'rollout.groupSize': 16 },
      ...{ 'reward.keepCost.on': true, 'reward.keepCost.w': 0.02, 'objective.entropyCoef': 0.005, 'run.updates': 70 },
      'run.backend': 'cpu',
    },
  },
];

/** One experiment for each condition of the health monitor. */
export const healthPresets: readonly HealthPreset[] = list.map((p) => ({ group: 'Health alarms', ...p }));
