import type { Preset } from './presets.ts';

const OWN = { 'run.backend': 'cpu', 'task.subgoals.on': true, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 16 };
const KEY = { 'task.grid.level': 'custom', 'task.grid.text': 'S.a\n#A#\n..G', 'objective.entropyCoef': 0.02 };
const JUDGED = {
  ...{ 'advantage.method': 'hiper', 'optimizer.learningRate': 0.005, 'policy.mlp.hidden': [32] },
  ...{ 'objective.epochs': 8, 'objective.valueCoef': 2, 'objective.entropyCoef': 0.02 },
};

/** Policies that set themselves subgoals. */
export const subgoalPresets: readonly Preset[] = [
  {
    id: 'own-subgoals-hae',
    title: 'Key and door, own subgoals · HAE (HiPER)',
    look: 'The strip under the stage shows which subgoal is held. Five of five seeds reach 0.8 within 10 updates; as one chain (flat GAE) within 4: HAE tells who was to blame, it is not faster. Eight passes over each batch may raise the alarm about ESS.',
    changes: { ...OWN, ...KEY, ...JUDGED, 'task.grid.maxSteps': 48, 'run.updates': 30 },
  },
  {
    id: 'plans-himac',
    title: 'Key and door, plans and executions · HiMAC',
    look: 'Four plans of a task are followed four times each: entries share the color of their plan, executions of one plan differ. Success reaches 0.8 within 10 updates, without a critic.',
    changes: {
      ...{ ...OWN, ...KEY, 'task.grid.maxSteps': 40, 'policy.mlp.hidden': [16], 'optimizer.learningRate': 0.02 },
      ...{ 'task.subgoals.mode': 'blueprint', 'task.subgoals.entries': 3, 'rollout.method': 'blueprints' },
      ...{ 'advantage.method': 'himac', 'run.updates': 30 },
    },
  },
  {
    id: 'plans-himac-turns',
    title: 'Key and door, plans in turns · HiMAC',
    look: 'Every other update is the planner’s: its plans are followed greedily, and fail until who acts has learned. Five of five seeds pass 0.8 within 25 updates; both at once take 10.',
    changes: {
      ...{ ...OWN, ...KEY, 'task.grid.maxSteps': 40, 'policy.mlp.hidden': [16], 'optimizer.learningRate': 0.02 },
      ...{ 'task.subgoals.mode': 'blueprint', 'task.subgoals.entries': 3, 'rollout.method': 'blueprints' },
      ...{ 'rollout.blueprints.learn': 'turns', 'advantage.method': 'himac', 'advantage.himac.acts': 'best' },
      ...{ 'reward.grid.step': -20, 'objective.entropyCoef': 0.05, 'run.updates': 40 },
    },
  },
  {
    id: 'own-subgoals-hrpo',
    title: 'Key and door, own subgoals · HRPO',
    look: 'Choosing a subgoal that comes true is paid beside the outcome. Five of five seeds reach 0.8 within 7 updates, and so does GRPO; subgoals come true no more often, in 10 to 22 % of segments.',
    changes: {
      ...{ ...OWN, ...KEY, 'task.grid.maxSteps': 40, 'policy.mlp.hidden': [16], 'optimizer.learningRate': 0.02 },
      ...{ 'advantage.method': 'hrpo', 'run.updates': 30 },
    },
  },
  {
    id: 'small-room-archer',
    title: 'Small room, four episodes an update · ArCHer',
    look: 'For ten updates only the critics learn. Five of five seeds reach 0.8 after 800 to 1500 steps of the world; GRPO on as many episodes, at its better rate, after 500 to 1300: not sooner here.',
    changes: {
      ...{ 'run.backend': 'cpu', 'task.grid.level': 'custom', 'task.grid.text': 'S...\n.#..\n...G' },
      ...{ 'task.grid.maxSteps': 10, 'policy.mlp.hidden': [16], 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 1 },
      ...{ 'rollout.method': 'archer', 'rollout.archer.warmup': 10, 'rollout.archer.sample': 32 },
      ...{ 'rollout.archer.looks': 30, 'advantage.method': 'reinforcePP', 'run.updates': 60 },
    },
  },
  {
    id: 'given-subgoals-vsc',
    title: 'Key and door, subgoals of a solver · VSC-RL',
    look: 'Key, door and goal are active one after the other, and steps that led to one are imitated. Five of five seeds reach 0.8 within 6 updates of 16 episodes; GRPO with the same subgoals takes 8 to 15.',
    changes: {
      ...{ ...OWN, ...KEY, 'task.grid.maxSteps': 24, 'policy.mlp.hidden': [32], 'optimizer.learningRate': 0.01 },
      ...{ 'task.subgoals.mode': 'given', 'rollout.method': 'vscRl', 'rollout.groupSize': 4, 'run.updates': 30 },
    },
  },
];

/** The same in Sokoban: box j to target k. */
export const boxPresets: readonly Preset[] = [
  {
    id: 'own-subgoals-sokoban',
    title: 'Sokoban, own subgoals · HAE (HiPER)',
    look: 'Subgoals are “box 1 to target 2”, and who pushes sees nine squares and where its box is. Success reaches 0.8 after about 12 updates.',
    changes: {
      ...{ ...OWN, ...JUDGED, 'task.method': 'sokoban', 'task.sokoban.level': 'custom', 'task.sokoban.maxSteps': 60 },
      ...{ 'task.sokoban.text': '######\n#@   #\n# $  #\n#  $.#\n# .  #\n######', 'run.updates': 30 },
    },
  },
];
