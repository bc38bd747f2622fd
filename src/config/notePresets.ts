import type { Preset } from './presets.ts';

const LEARNS = {
  ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 16 },
  ...{ 'objective.entropyCoef': 0.03, 'optimizer.learningRate': 0.03 },
};

/**
 * Two corridors; on entering the second a color is seen for one step, and the doors at its end ask for it when it is out of
 * sight. `steps`: as many as it takes, as a detour can bring the color into the same view as the doors.
 */
const doorsAt = (corridor: string, steps: number) => ({
  ...{ 'task.grid.level': 'custom', 'task.grid.text': corridor },
  ...{ 'task.grid.maxSteps': steps, 'task.grid.maskActions': true },
  ...{ 'task.levelRow.on': true, 'task.levelRow.carries': true, 'task.levelRow.shown': 'once' },
  ...{ 'policy.method': 'mlp', 'policy.mlp.hidden': [16], 'advantage.method': 'grpo' },
  ...{ 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 64, 'optimizer.learningRate': 0.03 },
  ...{ 'task.notes.on': true, 'run.updates': 100 },
});

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
  {
    id: 'doors-note',
    title: 'Two doors, one letter of memory (SUPO) · GRPO',
    look: 'Half of the episodes take the right door by luck, until a letter means a color. With the notes of other episodes, it is half again.',
    changes: {
      // the first note is due before there is a color, the second at the doors
      ...doorsAt('S..G', 7),
      'task.notes.mode': 'onLimit',
      'task.notes.context': 3,
      'task.notes.alphabet': 2,
      'task.notes.most': 2,
      'objective.entropyCoef': 0.2,
      'run.updates': 200,
    },
  },
  {
    id: 'doors-store',
    title: 'Two doors, a store of one slot (Memex) · GRPO',
    look: 'Half take the right door by luck, until what is kept tells the color at the doors; that a slot is empty can tell it, too.',
    changes: {
      ...doorsAt('S.G', 7),
      'task.notes.mode': 'indexed',
      'task.notes.context': 2,
      'task.notes.slots': 1,
      'task.notes.dropped': 0,
      'task.notes.repeated': 0,
      'objective.entropyCoef': 0.15,
      'run.updates': 150,
    },
  },
];
