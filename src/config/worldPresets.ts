import { environments } from '../envs/registry.ts';
import type { Preset } from './presets.ts';

/** Rewards of gym-sokoban divided by ten, so that a solved level is worth 1. */
const tenth = {
  'reward.sokoban.goal': 1000,
  'reward.sokoban.step': -10,
  'reward.sokoban.boxOn': 100,
  'reward.sokoban.boxOff': -100,
};
const oneBox = {
  ...tenth,
  'task.method': 'sokoban',
  'task.sokoban.level': 'reverse',
  'task.sokoban.pulls': 5,
  'task.sokoban.maxSteps': 60,
};
const twoBoxes = {
  ...oneBox,
  'task.sokoban.boxes': 2,
  'task.sokoban.pulls': 8,
  'reward.sokoban.boxOn': 200,
  'reward.sokoban.boxOff': -200,
  'objective.entropyCoef': 0.01,
  'rollout.tasksPerBatch': 8,
  'run.updates': 400,
};
const maze = { 'task.method': 'textmaze' };
/** A thought before each action, and the cost of refusals of the released code. */
const thinks = {
  ...{ 'task.thoughts.on': true, 'advantage.method': 'rlvmr' },
  ...{ 'reward.refusals.on': true, 'reward.refusals.w': 0.1 },
};
const writes = { 'policy.method': 'transformer', 'policy.transformer.history': 0 };
const chain = (rooms: number, locks: number) => ({
  ...maze,
  'task.textmaze.level': 'tree',
  'task.textmaze.rooms': rooms,
  'task.textmaze.chain': locks,
  'task.textmaze.metaActions': false,
  'rollout.tasksPerBatch': 8,
});

/** Experiments in Sokoban and the text-maze. What they claim to show is measured in docs/learning.md. */
export const worldPresets: readonly Preset[] = [
  {
    id: 'sokoban-first-push',
    title: 'Sokoban, first push · GiGPO',
    group: 'Sokoban',
    look: 'Nothing happens for a hundred updates; then, within twenty, success takes off as the first solutions spread.',
    changes: { 'task.method': 'sokoban' },
  },
  {
    id: 'sokoban-one-box',
    title: 'Sokoban, one box · GiGPO',
    group: 'Sokoban',
    look: 'Five agents, each on a separate board. All solve it after about 300,000 steps.',
    changes: { ...oneBox, 'run.updates': 150, 'run.seeds': 5 },
  },
  {
    id: 'sokoban-corner',
    title: 'Sokoban, the corner · GiGPO',
    group: 'Sokoban',
    look: 'A box in the corner can never be freed: credit finds the one push that lost the game.',
    changes: {
      ...tenth,
      'task.method': 'sokoban',
      'task.sokoban.level': 'corner',
      'task.sokoban.deadEnd': true,
      'run.updates': 150,
    },
  },
  {
    id: 'sokoban-trap',
    title: 'Sokoban, the wrong box first · PPO with critic',
    group: 'Sokoban',
    look: 'The near target is two steps away and pays; then the other box is stuck. The agent learns just that. Choose “Ahead” on the map, “nothing” at the end: six steps walk into the trap, seven solve the board.',
    changes: {
      ...tenth,
      'task.method': 'sokoban',
      'task.sokoban.level': 'custom',
      'task.sokoban.text': '#######\n# $.$.#\n#@    #\n#######',
      'task.sokoban.deadEnd': true,
      'task.sokoban.maxSteps': 12,
      'reward.sokoban.boxOn': 300,
      'reward.sokoban.boxOff': -300,
      'advantage.method': 'gae',
      'advantage.gae.gamma': 0.7,
      'run.updates': 60,
    },
  },
  {
    id: 'sokoban-two-boxes',
    title: 'Sokoban, two boxes · GiGPO',
    group: 'Sokoban',
    look: 'Some boards are learned; others never get started, because no member of a group ever solves them.',
    changes: twoBoxes,
  },
  {
    id: 'sokoban-two-boxes-counts',
    title: 'Sokoban, two boxes, counts · GAE',
    look: 'A bonus for positions seen rarely leads every seed to its first solution; switch it off, and two of five never start.',
    changes: {
      ...twoBoxes,
      'advantage.method': 'gae',
      'advantage.gae.gamma': 0.95,
      'objective.epochs': 4,
      'objective.minibatches': 4,
      'reward.countBonus.on': true,
      'reward.countBonus.beta': 0.1,
      'run.updates': 60,
      'run.seeds': 5,
    },
  },
  {
    id: 'sokoban-two-boxes-cloned',
    title: 'Sokoban, two boxes, imitation · GiGPO',
    group: 'Sokoban',
    look: 'One imitated solution is enough for the policy to find it again, and then to rely on it.',
    changes: { ...twoBoxes, 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 40, 'run.updates': 200 },
  },
  {
    id: 'sokoban-one-box-rlvmr',
    title: 'Sokoban, one box, tagged actions · RLVMR',
    group: 'Sokoban',
    look: 'Imitated solutions plan first, then explore; the lanes under the credit show what is kept of that.',
    changes: { ...oneBox, ...thinks, 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 40, 'run.updates': 100 },
  },
  {
    id: 'maze-two-rooms',
    title: 'Text-maze, two rooms · GiGPO',
    group: 'Text-maze',
    look: 'Take the key, unlock the door, go through, take the lamp: four commands, each chosen from eighteen.',
    changes: { ...maze, 'run.updates': 100 },
  },
  {
    id: 'maze-written',
    title: 'Text-maze, written commands · GiGPO',
    group: 'Text-maze',
    look: 'A transformer reads the sentences and writes a command; each word learns from the credit of its step.',
    changes: { ...maze, ...writes, 'run.seeds': 1, 'run.updates': 80 },
  },
  {
    id: 'maze-written-rlvmr',
    title: 'Text-maze, tagged commands · RLVMR',
    group: 'Text-maze',
    look: 'The first word of a command is its tag; “Word by word” shows how likely it was.',
    changes: {
      ...{ ...maze, ...writes, ...thinks, 'run.seeds': 1, 'run.updates': 80 },
      ...{ 'policy.cloneEpisodes': 2, 'policy.cloneSteps': 5 },
    },
  },
  {
    id: 'maze-question-igpo',
    title: 'Text-maze, where is the treasure? · IGPO',
    group: 'Text-maze',
    look: 'Two rooms hold signs that exclude a color; blue bars under the credit are steps that learned something.',
    changes: {
      ...{ ...maze, 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 4, 'task.textmaze.chain': 0 },
      ...{ 'task.textmaze.goal': 'reach', 'task.textmaze.metaActions': false, 'task.textmaze.maskActions': true },
      ...{ 'task.question.on': true, 'task.question.answers': 3, 'task.question.signs': 2 },
      ...{ 'advantage.method': 'igpo', 'advantage.igpo.credit': 'stepMean', 'rollout.commonNoise': true },
      ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 16, 'run.updates': 250 },
      ...{ 'optimizer.learningRate': 0.01, 'objective.entropyCoef': 0.01 },
    },
  },
  {
    id: 'maze-free-words',
    title: 'Text-maze, any words · GiGPO',
    group: 'Text-maze',
    look: 'Without the grammar mask, random words hardly ever form a command; a few imitated solutions teach the language.',
    changes: {
      ...maze,
      ...writes,
      'policy.transformer.grammar': false,
      'policy.cloneEpisodes': 4,
      'run.seeds': 1,
      'run.updates': 60,
    },
  },
  {
    id: 'maze-three-rooms',
    title: 'Text-maze, three rooms · GiGPO',
    group: 'Text-maze',
    look: 'The key is in the other direction; exact credit knows that walking away from the goal is progress.',
    changes: { ...maze, 'task.textmaze.level': 'threeRooms', 'run.updates': 150 },
  },
  {
    id: 'maze-chain-two-grown',
    title: 'Text-maze, two locks · GiGPO',
    group: 'Text-maze',
    look: 'At first the treasure is behind the first lock; when it moves on, success drops and has to recover.',
    changes: {
      ...chain(6, 2),
      'task.textmaze.growEvery': 60,
      'objective.entropyCoef': 0.01,
      'run.updates': 300,
    },
  },
  {
    id: 'maze-chain-three-grown',
    title: 'Text-maze, three locks · GiGPO',
    group: 'Text-maze',
    look: 'Each lock is a new search; with a small reward for keys and doors, about half of the seeds get through.',
    changes: {
      ...chain(8, 3),
      'task.textmaze.growEvery': 80,
      'reward.textmaze.subgoal': 100,
      'objective.entropyCoef': 0.02,
      'run.updates': 400,
    },
  },
  {
    id: 'maze-chain-three-counts',
    title: 'Text-maze, three locks, counts · GiGPO',
    look: 'All three locks from the start, and a bonus for rooms and objects seen rarely: every seed gets through, in a third of the steps.',
    changes: {
      ...chain(8, 3),
      'reward.textmaze.subgoal': 100,
      'reward.countBonus.on': true,
      'reward.countBonus.beta': 0.05,
      'objective.entropyCoef': 0.02,
      'run.updates': 150,
    },
  },
  {
    id: 'maze-chain-three-cloned',
    title: 'Text-maze, three locks, imitation · GiGPO',
    group: 'Text-maze',
    look: 'By chance, not one episode in a million succeeds; one imitated solution changes that.',
    changes: { ...chain(8, 3), 'policy.cloneEpisodes': 4, 'policy.cloneSteps': 30, 'run.updates': 100 },
  },
  {
    id: 'grid-written',
    title: 'Key and door, read as words · GiGPO',
    group: 'Text-maze',
    look: 'The same transformer reads the map cell by cell and writes east, south, west or north.',
    changes: { ...writes, 'run.seeds': 1, 'run.updates': 60 },
  },
  ...environments.flatMap((env) =>
    (env.published ?? []).map(({ id, title, settings, rewards, source }): Preset => ({
      id: `${env.id}-${id}`,
      title: `${env.title}, ${title} · GiGPO`,
      group: 'Published settings',
      look: `Board, limit and rewards as in ${/^\d/.test(source) ? `arXiv ${source}` : source}; these need longer than a lesson.`,
      changes: {
        'task.method': env.id,
        ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`task.${env.id}.${name}`, value])),
        ...Object.fromEntries(Object.entries(rewards).map(([name, value]) => [`reward.${env.id}.${name}`, value])),
        'task.levels': 0,
      },
    })),
  ),
];
