import type { Preset } from './presets.ts';

/** The reference model of the lessons: a table of logits, plain policy gradient, one step per batch. */
export const table = {
  'policy.method': 'tabular',
  'objective.method': 'reinforce',
  'objective.aggregate': 'seqMeanUnitSum',
  'optimizer.method': 'sgd',
  'optimizer.learningRate': 0.05,
  'optimizer.clipNorm': 0,
  'run.updates': 250,
};

const matched = { ...table, 'advantage.method': 'gigpo', 'revise.matchSize.on': true };

/** Eight epochs at thirty times the usual rate: how far may one update go? */
const steep = {
  ...table,
  'advantage.method': 'grpo',
  'objective.method': 'ppoClip',
  'objective.epochs': 8,
  'optimizer.learningRate': 1.5,
  'run.updates': 80,
};

/** Data that are 32 updates old, on the small network: as in docs/studies/stability.md. */
const old = {
  'rollout.staleness': 32,
  'revise.matchSize.on': true,
  'policy.mlp.hidden': [32],
  'objective.epochs': 4,
  'optimizer.learningRate': 0.015,
  'run.updates': 120,
};

/** AReaL's queue on the same network; the objective is the one that was made for it. */
const queued = { ...old, 'objective.method': 'decoupled', 'rollout.staleness': 0, 'rollout.ages': 'queue' };

/** Starts and goals anywhere in a room, so that episodes are short or last 128 steps; a group takes as long as the longest. */
const mixedLengths = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 10, 'task.grid.random': true, 'task.grid.maxSteps': 128 },
  ...{ 'objective.method': 'decoupled', 'objective.epochs': 2, 'policy.mlp.hidden': [32] },
  ...{ 'rollout.ages': 'queue', 'rollout.timeBy': 'lengths', 'rollout.generators': 16, 'rollout.playTime': 4 },
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'run.updates': 100 },
};

/** Two rooms, a key and a door: chance does not find the 21 steps within 40. One group of four episodes an update. */
const faraway = {
  'task.grid.level': 'custom',
  'task.grid.text': 'S......#......\n.......#......\n.......A......\n.......#......\na......#.....G',
  'task.grid.maxSteps': 40,
  'rollout.tasksPerBatch': 1,
  'rollout.groupSize': 4,
  'policy.method': 'tabular',
  'advantage.method': 'grpo',
  'objective.aggregate': 'constant',
  'optimizer.learningRate': 0.2,
  'run.updates': 60,
};

const LESSONS: readonly Preset[] = [
  {
    id: 'lesson-gigpo',
    title: 'Key and door, table · GiGPO',
    look: 'The same state twice: success rises far earlier than GRPO at the same rate. Then switch on “match update size”.',
    changes: { ...table, 'advantage.method': 'gigpo' },
  },
  {
    id: 'lesson-grpo',
    title: 'Key and door, table · GRPO',
    look: 'One number for thirty steps: on a third of them, exact credit and GRPO differ in sign.',
    changes: { ...table, 'advantage.method': 'grpo' },
  },
  {
    id: 'lesson-gigpo-matched',
    title: 'Key and door, table, matched · GiGPO',
    look: 'Most of the lead came from larger updates; some of it remains.',
    changes: matched,
  },
  {
    id: 'lesson-grpo-matched',
    title: 'Key and door, table, matched · GRPO',
    look: 'The fair comparison for the matched GiGPO run.',
    changes: { ...table, 'advantage.method': 'grpo', 'revise.matchSize.on': true },
  },
  {
    id: 'lesson-entropy-law',
    title: 'Key and door, entropy law · GRPO',
    look: 'Open Exploration: the entropy law fits well, but success cannot reach the ceiling it predicts.',
    changes: { ...table, 'advantage.method': 'grpo', 'run.updates': 200, 'analysis.evalEvery': 5 },
  },
  {
    id: 'lesson-old-data',
    title: 'Key and door, table, old data · GiGPO',
    look: 'Open Data: the effective sample size at the start of each update falls while the policy changes, then recovers.',
    changes: { ...matched, 'rollout.staleness': 32, 'run.updates': 120 },
  },
  {
    id: 'lesson-long-steps',
    title: 'Key and door, long steps · GRPO',
    look: 'The KL of the update peaks above one nat, and the ESS of the steps drops with it.',
    changes: { ...steep, 'objective.ppoClip.epsLow': 1, 'objective.ppoClip.epsHigh': 10 },
  },
  {
    id: 'lesson-long-steps-clip',
    title: 'Key and door, long steps, clip · GRPO',
    look: 'The same long steps with a clip at 0.2: the KL stays below a tenth.',
    changes: steep,
  },
  {
    id: 'lesson-long-steps-stop',
    title: 'Key and door, long steps, KL stop · GRPO',
    look: 'An update ends as soon as it has gone far enough.',
    changes: { ...steep, 'control.klStop.on': true, 'control.klStop.limit': 0.02 },
  },
  {
    id: 'lesson-four-arms',
    title: 'Four arms · GRPO',
    look: 'The goal is at the end of one of four arms and cannot be seen. Open Exploration and measure pass@k: a single try succeeds twice as often as before training, but from three tries on the untrained policy is ahead.',
    changes: {
      ...table,
      'task.grid.level': 'fourArms',
      'task.levels': 0,
      'advantage.method': 'grpo',
      'rollout.tasksPerBatch': 16,
      'optimizer.learningRate': 0.2,
      'run.updates': 200,
    },
  },
  {
    id: 'old-data-ppo',
    title: 'Key and door, old data · PPO clip',
    look: 'Clip fraction: a fifth of the steps are held near a policy from long ago, and success lags.',
    changes: old,
  },
  {
    id: 'old-data-decoupled',
    title: 'Key and door, old data · Decoupled PPO',
    look: 'The same old data, but the trust region is centered where the update starts: hardly slower than with fresh data.',
    changes: { ...old, 'objective.method': 'decoupled' },
  },
  {
    id: 'old-data-vcpo',
    title: 'Key and door, old data · VCPO',
    look: 'The step shrinks with the effective sample size: slower, but steady.',
    changes: { ...old, 'objective.method': 'vcpo', 'objective.aggregate': 'seqMeanUnitMean' },
  },
  {
    id: 'bounded-queue',
    title: 'Key and door, bounded queue · Decoupled PPO',
    look: 'Open Data: by the simulated clock it is more than twice as fast as with staleness 0, and no unit is older than 4 updates.',
    changes: { ...queued, 'rollout.staleness': 4 },
  },
  {
    id: 'bounded-queue-0',
    title: 'Key and door, no overlap · Decoupled PPO',
    look: 'The fair comparison: episodes take the same time, but trainer and generators wait for each other.',
    changes: queued,
  },
  {
    id: 'mixed-lengths',
    title: 'Empty room, overlap · Decoupled PPO',
    look: 'Draw the curves against simulated time and keep this run: a group takes as long as its longest episode, and nobody waits for it.',
    changes: { ...mixedLengths, 'rollout.staleness': 4 },
  },
  {
    id: 'mixed-lengths-0',
    title: 'Empty room, no overlap · Decoupled PPO',
    look: 'The same episodes, but every update waits for the longest one: less success at the same simulated time.',
    changes: mixedLengths,
  },
  {
    id: 'demonstrations',
    title: 'Two far rooms, demonstrations · RL-PLUS',
    look: 'The last episode of each group comes from the solver; within twenty updates the policy succeeds alone.',
    changes: { ...faraway, 'objective.method': 'rlPlus' },
  },
  {
    id: 'demonstrations-none',
    title: 'Two far rooms · GRPO',
    look: 'No episode ever succeeds, every group agrees, and nothing is learned.',
    changes: faraway,
  },
  {
    id: 'coarse-rollout',
    title: 'Key and door, four-bit rollouts · GiGPO',
    look: 'Open Data: the effective sample size starts a little below 1 even on fresh data; nothing worse happens here.',
    changes: { 'rollout.rolloutPrecision': 'int4' },
  },
];

export const lessonPresets: readonly Preset[] = LESSONS.map((p) => ({ group: 'Lessons and stability', ...p }));
