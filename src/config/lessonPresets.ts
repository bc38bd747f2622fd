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

const matched = { ...table, 'advantage.method': 'gigpo', 'advantage.matched': true };

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
  'advantage.matched': true,
  'policy.mlp.hidden': [32],
  'objective.epochs': 4,
  'optimizer.learningRate': 0.015,
  'run.updates': 120,
};

/** AReaL's queue on the same network; the objective is the one that was made for it. */
const queued = { ...old, 'objective.method': 'decoupled', 'rollout.staleness': 0, 'rollout.ages': 'queue' };

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
    title: 'The same state twice: GiGPO on a table',
    look: 'Rises far earlier than GRPO at the same rate. Then switch on “match update size”.',
    changes: { ...table, 'advantage.method': 'gigpo' },
  },
  {
    id: 'lesson-grpo',
    title: 'One number for thirty steps: GRPO on a table',
    look: 'The exact row disagrees in sign with GRPO on a third of the steps.',
    changes: { ...table, 'advantage.method': 'grpo' },
  },
  {
    id: 'lesson-gigpo-matched',
    title: 'GiGPO on a table, matched update size',
    look: 'Most of the lead came from larger updates; some of it stays.',
    changes: matched,
  },
  {
    id: 'lesson-grpo-matched',
    title: 'GRPO on a table, matched update size',
    look: 'The fair partner of the matched GiGPO run.',
    changes: { ...table, 'advantage.method': 'grpo', 'advantage.matched': true },
  },
  {
    id: 'lesson-entropy-law',
    title: 'Entropy is the currency',
    look: 'Open Exploration: the law fits well, and its ceiling is one that success cannot reach.',
    changes: { ...table, 'advantage.method': 'grpo', 'run.updates': 200, 'analysis.evalEvery': 5 },
  },
  {
    id: 'lesson-old-data',
    title: 'Old data, few voices',
    look: 'Open Data: the sample size at the start of each update falls while the policy moves, then recovers.',
    changes: { ...matched, 'rollout.staleness': 32, 'run.updates': 120 },
  },
  {
    id: 'lesson-long-steps',
    title: 'How far may one update go? No limit',
    look: 'The KL of the update has peaks above one nat, and ESS of the steps falls with them.',
    changes: { ...steep, 'objective.ppoClip.epsLow': 1, 'objective.ppoClip.epsHigh': 10 },
  },
  {
    id: 'lesson-long-steps-clip',
    title: 'How far may one update go? Clip',
    look: 'The same steps with a clip at 0.2: the KL stays below a tenth.',
    changes: steep,
  },
  {
    id: 'lesson-long-steps-stop',
    title: 'How far may one update go? Clip and KL stop',
    look: 'An update ends as soon as it has gone far enough.',
    changes: { ...steep, 'objective.klStop': 0.02 },
  },
  {
    id: 'lesson-four-arms',
    title: 'Sharper is not wiser',
    look: 'The goal is behind one of four arms and cannot be seen. Open Exploration and measure pass@k: one try is right twice as often as untrained, from three tries on it is the other way round.',
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
    title: 'Data 32 updates old with PPO clip',
    look: 'Clip fraction: a fifth of the steps is held around a policy long gone, and success lags.',
    changes: old,
  },
  {
    id: 'old-data-decoupled',
    title: 'Data 32 updates old with decoupled PPO',
    look: 'The same old data, the trust region where the update starts: hardly slower than with fresh data.',
    changes: { ...old, 'objective.method': 'decoupled' },
  },
  {
    id: 'old-data-vcpo',
    title: 'Data 32 updates old with VCPO',
    look: 'The step shrinks with the sample size: slower, and steady.',
    changes: { ...old, 'objective.method': 'vcpo', 'objective.aggregate': 'seqMeanUnitMean' },
  },
  {
    id: 'bounded-queue',
    title: 'A queue with a bound',
    look: 'Open Data: a simulated clock runs more than twice as fast as with staleness 0, and no unit is older than 4 updates.',
    changes: { ...queued, 'rollout.staleness': 4 },
  },
  {
    id: 'bounded-queue-0',
    title: 'A queue without overlap',
    look: 'The fair partner: the same times to play, but trainer and generators wait for each other.',
    changes: queued,
  },
  {
    id: 'demonstrations',
    title: 'Learning from a few demonstrations: RL-PLUS',
    look: 'The last episode of each update is the solver’s; within twenty updates the policy does it alone.',
    changes: { ...faraway, 'objective.method': 'rlPlus' },
  },
  {
    id: 'demonstrations-none',
    title: 'The same without demonstrations: GRPO',
    look: 'No episode ever succeeds, every group agrees, and nothing is learned.',
    changes: faraway,
  },
  {
    id: 'coarse-rollout',
    title: 'Played with four bits a weight',
    look: 'Open Data: the sample size starts a little below 1, even on fresh data; nothing worse happens here.',
    changes: { 'rollout.rolloutPrecision': 'int4' },
  },
];

export const lessonPresets: readonly Preset[] = LESSONS.map((p) => ({ group: 'Lessons and stability', ...p }));
