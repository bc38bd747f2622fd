import type { Preset } from './presets.ts';

const LEARNS = {
  ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 16 },
  ...{ 'objective.entropyCoef': 0.03, 'optimizer.learningRate': 0.03 },
};

/** Policies without a memory that write down what they will need. */
export const notePresets: readonly Preset[] = [
  {
    id: 'side-roads-notes',
    title: 'Two side roads, notes to itself · GiGPO',
    look: 'One in four succeeds, until a letter begins to mean a road: then nearly all do. What is written when stands under the stage.',
    changes: {
      'task.grid.level': 'custom',
      'task.grid.text': 'S.....\n#.#.##\n#.#G##',
      'task.grid.maxSteps': 6,
      'task.grid.view': 'ego',
      'task.grid.window': 3,
      'task.notes.on': true,
      ...LEARNS,
      'run.updates': 100,
    },
  },
];
