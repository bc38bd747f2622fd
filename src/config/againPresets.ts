import type { Preset } from './presets.ts';

/** A key and a door so far apart that chance seldom finds both. */
const farKey = {
  ...{ 'task.grid.level': 'doorKey', 'task.grid.n': 8, 'task.grid.maxSteps': 40, 'task.levels': 1 },
  ...{ 'policy.method': 'mlp', 'optimizer.learningRate': 0.005, 'advantage.method': 'grpo' },
  ...{ 'rollout.groupSize': 4, 'run.seeds': 5, 'run.updates': 100 },
};

export const againPresets: readonly Preset[] = [
  {
    id: 'far-key-spear',
    title: 'Door and key, SPEAR · GRPO',
    look: 'A rare success trains for several updates: “Episodes played again” jumps with the first one. With sampled episodes alone, three of five agents learn nothing in the first 64 updates.',
    changes: { ...farKey, 'rollout.method': 'spear', 'rollout.spear.rise': 20, 'rollout.spear.maxAge': 20 },
  },
  {
    id: 'far-key-relift',
    title: 'Door and key, ReLIFT · GRPO',
    look: 'Every fourth update imitates the solver on tasks that failed, until an agent does it alone; the peaks of imitated episodes become rarer.',
    changes: { ...farKey, 'rollout.method': 'relift', 'rollout.relift.rate': 3 },
  },
  {
    id: 'key-door-sqirl',
    title: 'Key and door, uniform play (SQIRL) · GiGPO',
    look: 'Three batches of uniform play settle each step, from the first on. Success jumps once the way is settled; the network only imitates.',
    changes: {
      'rollout.method': 'sqirl',
      'rollout.sqirl.batches': 3,
      'run.backend': 'cpu',
      'run.seeds': 5,
      'run.updates': 90,
    },
  },
  {
    id: 'far-key-hints',
    title: 'Door and key, Scaf-GRPO · GRPO',
    look: 'Tasks that always fail are played again with up to twelve hints. “Rounds” falls to 1 once no agent needs one. The axis “environment steps” shows the price.',
    changes: {
      ...farKey,
      ...{ 'task.grid.n': 7, 'task.hints.on': true, 'rollout.method': 'scafGrpo', 'rollout.scafGrpo.warmup': 5 },
    },
  },
  {
    id: 'far-key-repair',
    title: 'Door and key, repaired failures · GRPO',
    look: 'Half of each group continues failures from their first mistake, with the solver. All five agents learn, with fewer steps than sampling takes; with “the policy continues”, most do not.',
    changes: { ...farKey, 'rollout.method': 'oracleRepair', 'rollout.oracleRepair.tail': 'oracle' },
  },
  {
    id: 'key-library',
    title: 'Door and key, SLEA-RL · GiGPO',
    look: 'A library remembers good and bad actions of each state and shows them. Evaluated without it, as here, agents do worse than “with the library”: the memory solves part of the task.',
    changes: {
      ...farKey,
      ...{ 'task.grid.n': 6, 'task.levels': 4, 'task.library.on': true, 'rollout.groupSize': 8 },
      ...{ 'advantage.method': 'gigpo', 'rollout.method': 'sleaRl' },
    },
  },
  {
    id: 'far-key-weighted',
    title: 'Door and key, weighted replay · GRPO',
    look: 'Stored episodes are imitated, good ones far more often. Set the temperature to 100, and average episodes are imitated instead, which holds the agents back.',
    changes: { ...farKey, 'rollout.method': 'weightedReplay' },
  },
  {
    id: 'far-key-search',
    title: 'Door and key, expert iteration · GRPO',
    look: 'Every fourth update a search that the policy guides solves the level, and the policy imitates the middle of its steps. Its steps are charged: the axis “environment steps” shows the price. “On a plateau” may retrain the first weights on all that is solved.',
    changes: { ...farKey, 'rollout.method': 'expertIteration', 'rollout.expertIteration.rate': 3 },
  },
  {
    id: 'room-hindsight',
    title: 'Empty room, goals in hindsight · GRPO',
    look: 'The goal is 12 steps away, in 21. Episodes that fail are asked for what they did reach, and imitated: “Different goals reached” rises first, then success: all five agents arrive within 55 updates. Of sampled episodes alone, two learn nothing in 40.',
    changes: {
      ...{ 'task.grid.level': 'empty', 'task.grid.n': 8, 'task.grid.maxSteps': 21, 'task.goal.on': true },
      ...{ 'rollout.method': 'hindsight', 'rollout.hindsight.rows': 64, 'rollout.hindsight.rate': 1 },
      ...{ 'advantage.method': 'grpo', 'optimizer.learningRate': 0.005, 'run.seeds': 5, 'run.updates': 80 },
    },
  },
  {
    id: 'room-swarm',
    title: 'Empty room in two tabs, SAPO · GRPO',
    look: 'Alone, seeds 5 and 6 find nothing for 70 updates. Open the experiment in a second tab, set its seed to 8, switch on “Hear other tabs” in both, and run: success here follows that tab’s some updates later.',
    changes: {
      ...{ 'task.grid.level': 'empty', 'task.grid.n': 11, 'task.grid.maxSteps': 40, 'task.levels': 1 },
      ...{ 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'advantage.method': 'grpo' },
      ...{ 'rollout.method': 'swarm', 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 4 },
      ...{ 'run.seed': 5, 'run.updates': 120 },
    },
  },
];
