import type { Preset } from './presets.ts';

/** Key and door, several times in a row. */
const rows = {
  ...{ 'task.method': 'grid', 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 0, 'task.levelRow.on': true },
  ...{ 'task.levelRow.pieces': 4, 'objective.entropyCoef': 0.01, 'run.updates': 200 },
};

const scaler = {
  'source.method': 'scaler',
  'task.levels': 0,
  'rollout.tasksPerBatch': 12,
  'rollout.groupSize': 8,
  'objective.entropyCoef': 0.01,
  'run.updates': 300,
};

/** A new text-maze for every task. */
const mazes = {
  ...{ 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.metaActions': false, 'task.levels': 0 },
  ...{ 'rollout.tasksPerBatch': 8, 'objective.entropyCoef': 0.01, 'run.updates': 150, 'run.seeds': 5 },
};

/** Experiments whose levels grow with what the policy can do. */
export const difficultyPresets: readonly Preset[] = [
  {
    id: 'maze-ladder-scaler',
    title: 'Text-maze, four families, SCALER · GiGPO',
    look: 'Half of the training episodes fail, on purpose: difficulty climbs, and evaluation success shows what was learned.',
    changes: {
      ...scaler,
      'task.method': 'textmaze',
      'task.textmaze.level': 'ladder',
      'task.textmaze.metaActions': false,
    },
  },
  {
    id: 'grid-ladder-scaler',
    title: 'Five families, SCALER · GiGPO',
    look: 'Rooms, lava, doors, keys and goals in order take turns: what is mastered or too hard makes room for others.',
    changes: { ...scaler, 'task.method': 'grid', 'task.grid.level': 'ladder' },
  },
  {
    id: 'grid-rows-h1',
    title: 'Key and door, four in a row, h1 · GiGPO',
    look: 'Another level is added as soon as the last stage works; all four at once are hardly ever solved by chance.',
    changes: { ...rows, 'source.method': 'h1', 'task.levelRow.growEvery': 100 },
  },
  {
    id: 'grid-rows-carried',
    title: 'Key and door, colors carried, h1 · GiGPO',
    look: 'The color found on the way in names the door at the end: a chain whose pieces depend on each other.',
    changes: {
      ...{ ...rows, 'task.levelRow.pieces': 3, 'task.levelRow.carries': true },
      ...{ 'source.method': 'h1', 'task.levelRow.growEvery': 100 },
    },
  },
  {
    id: 'maze-wrong-exits',
    title: 'Text-maze, exits told wrong · GiGPO',
    look: 'Half of the rooms (≠) tell their exits a quarter turn off; goals lie among truthful neighbors first (AgentGL).',
    changes: {
      ...{ ...mazes, 'task.textmaze.rooms': 8, 'task.textmaze.chain': 0, 'task.textmaze.maxSteps': 40 },
      ...{ 'task.textmaze.truthful': 0.5, 'task.textmaze.growEvery': 40, 'task.textmaze.growBy': 'trust' },
    },
  },
  {
    id: 'maze-far-apart',
    title: 'Text-maze, key and lamp far apart · GiGPO',
    look: 'A fifth of the episodes succeeds; in mazes of the same size with key and lamp close together, three of four (REDSearcher).',
    changes: { ...mazes, 'task.textmaze.rooms': 6, 'task.textmaze.chain': 1, 'task.textmaze.dispersion': 'far' },
  },
];
