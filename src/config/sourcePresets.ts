import type { Preset } from './presets.ts';
import { twoBoxes } from './worldPresets.ts';

/** Forty steps in one line, and sixty to walk them: from the start no episode gets there. */
const corridor = {
  ...{ 'task.grid.level': 'corridor', 'task.grid.n': 40, 'task.grid.maxSteps': 60, 'advantage.method': 'gae' },
  ...{ 'rollout.tasksPerBatch': 16, 'rollout.groupSize': 4, 'run.seeds': 5, 'run.updates': 60 },
};

/** Two boxes as the study of curricula has them: nothing is paid but the whole solution. */
const boxes = {
  ...twoBoxes,
  ...{ 'reward.sokoban.boxOn': 0, 'reward.sokoban.boxOff': 0, 'objective.entropyCoef': 0.1 },
  ...{ 'advantage.method': 'gae', 'advantage.gae.gamma': 0.99, 'objective.epochs': 4, 'objective.minibatches': 4 },
  ...{ 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 1, 'run.seed': 41, 'run.seeds': 5, 'run.updates': 400 },
};

/** Where episodes begin. */
export const sourcePresets: readonly Preset[] = [
  {
    id: 'corridor-outwards',
    title: 'Corridor of 40, from the goal outwards · GAE',
    group: 'Grid-world',
    look: 'Episodes begin next to the goal, and farther away whenever that works; every seed learns the whole way. Choose “Drawn evenly” as the task source, and none ever gets there.',
    changes: { ...corridor, 'source.method': 'startDistance' },
  },
  {
    id: 'corridor-skills',
    title: 'Corridor of 40, weak skills first · GAE',
    group: 'Grid-world',
    look: 'Half of the episodes begin shortly before a milestone that is seldom reached (EnvGen). The curves of the skills rise one after the other, that of the goal last.',
    changes: { ...corridor, 'source.method': 'envGen' },
  },
  {
    id: 'sokoban-two-boxes-starts',
    title: 'Sokoban, two boxes, starts of all kinds · GAE',
    group: 'Sokoban',
    look: 'Episodes begin near the goal, anywhere, or where a box is about to be pushed (OmniReset); evaluations begin at the start. The first solutions come from short ways.',
    changes: { ...boxes, 'source.method': 'omniReset' },
  },
  {
    id: 'sokoban-two-boxes-snapshots',
    title: 'Sokoban, two boxes, snapshots · GAE',
    group: 'Sokoban',
    look: 'Episodes begin at positions of the solver’s own solution (SnapshotRL), later at the start alone. Compare with “Drawn evenly” as the task source, at equal environment steps.',
    changes: { ...boxes, 'source.method': 'snapshotRl' },
  },
];
