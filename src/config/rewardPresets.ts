import type { Preset } from './presets.ts';

/** A corridor that starts in the middle: each cell pays once. */
const SWEEP = {
  ...{ 'task.grid.level': 'custom', 'task.grid.text': '......S.....G', 'task.grid.maxSteps': 24 },
  ...{ 'reward.subpo.on': true, 'reward.subpo.radius': 0, 'reward.subpo.w': 0.08, 'advantage.method': 'aboveStep' },
  ...{ 'objective.entropyCoef': 0.003, 'run.updates': 120 },
};

/** Experiments of grid-worlds about what is paid. */
export const rewardPresets: readonly Preset[] = [
  {
    id: 'key-door-eapo',
    title: 'Key and door, sooner pays · Steps as samples',
    look: 'EAPO: the outcome is discounted in every step: successes get short, 8 steps in place of 12 with GRPO.',
    changes: { 'reward.eapo.on': true, 'advantage.method': 'stepSamples', 'run.updates': 100 },
  },
  {
    id: 'key-door-rlsp',
    title: 'Key and door, fading exploration · GRPO',
    look: 'RLSP: new states pay at first, whatever comes of them, and then fade: the gap between shaped return and success closes.',
    changes: { 'advantage.method': 'grpo', 'reward.rlsp.on': true, 'reward.rlsp.fade': 60, 'run.updates': 100 },
  },
  {
    id: 'key-door-dense',
    title: 'Key and door, dense shaping (ERA) · GAE',
    look: 'Key and door pay once, refusals cost: three rewards in a stack. The shortest path of 8 steps is found within 60 updates.',
    changes: {
      ...{ 'advantage.method': 'gae', 'reward.milestones.on': true, 'reward.refusals.on': true },
      'run.updates': 100,
    },
  },
  {
    id: 'lava-gap-carl',
    title: 'Gap in the lava, caution (CaRL) · REINFORCE++',
    look: 'Progress pays, lava costs and ends the pay. At a penalty of 0.1 two of three seeds cross; at 1 nobody dares to.',
    changes: {
      ...{ 'task.grid.level': 'lavaGap', 'task.grid.n': 6, 'task.grid.maxSteps': 60, 'reward.carl.on': true },
      ...{ 'reward.carl.penalty': 0.1, 'advantage.method': 'reinforcePP', 'advantage.reinforcePP.gamma': 0.97 },
      ...{ 'objective.entropyCoef': 0.01, 'run.updates': 100 },
    },
  },
  {
    id: 'two-keys-beacons',
    title: 'Two keys, a teacher’s words · REINFORCE++',
    look: 'Words as Beacons: the ring is where the teacher sends the agent. Raise “Wrong subgoals” and the lead is lost; the evaluation has no teacher and comes after.',
    changes: {
      ...{ 'task.grid.level': 'custom', 'task.grid.maxSteps': 60, 'advantage.method': 'reinforcePP' },
      'task.grid.text': 'a.#..#..\n..#..#..\nS.A..B.G\n..#b.#..\n..#..#..',
      ...{ 'advantage.reinforcePP.gamma': 0.97, 'objective.entropyCoef': 0.01, 'run.updates': 100 },
      ...{ 'task.teacher.on': true, 'task.teacher.shows': 'both', 'task.teacher.patience': 60 },
      ...{ 'task.teacher.alone': 0.5, 'reward.beacons.on': true, 'reward.beacons.w': 1 },
    },
  },
  {
    id: 'sweep-memory',
    title: 'Corridor both ways, memory (GRU) · SubPO',
    look: 'To see both ends it has to turn and come back where it has been: an agent that remembers does, one without a memory cannot.',
    changes: { ...SWEEP, 'policy.method': 'gru', 'optimizer.learningRate': 0.01 },
  },
  {
    id: 'sweep-table',
    title: 'Corridor both ways, no memory · SubPO',
    look: 'In each cell the table can want one way only: it sweeps one side and stays there. Its twin with a memory earns nearly twice as much.',
    changes: { ...SWEEP, 'policy.method': 'tabular', 'optimizer.learningRate': 0.1 },
  },
  {
    id: 'cue-step-joint',
    title: 'Cues one step away, jointly · IGPO',
    look: 'Gains and outcomes compared together, as in the paper: learned here. Put one more dot before the goal, and answering at once is all that is learned.',
    changes: {
      ...{ 'task.question.on': true, 'task.grid.level': 'custom', 'task.grid.text': 'S.G', 'task.grid.maxSteps': 8 },
      ...{ 'task.grid.maskActions': true, 'advantage.method': 'igpo', 'rollout.commonNoise': true },
      ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 16, 'run.updates': 120 },
      ...{ 'optimizer.learningRate': 0.01, 'objective.entropyCoef': 0.03 },
    },
  },
];
