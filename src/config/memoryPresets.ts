import type { Preset } from './presets.ts';

/** Experiments in which one observation is not enough. */
export const memoryPresets: readonly Preset[] = [
  {
    id: 't-maze',
    title: 'T-maze, memory (GTrXL) · GiGPO',
    look: 'The niche beside the start tells the side of the goal, and nobody sees it from the junction: success stays at one in two until the agent looks back.',
    changes: {
      'task.levels': 0,
      'task.grid.level': 'tMaze',
      'task.grid.n': 4,
      'task.grid.view': 'ego',
      'task.grid.window': 3,
      'task.grid.maskActions': true,
      'policy.method': 'gtrxl',
      'policy.gtrxl.width': 16,
      'policy.gtrxl.hidden': 16,
      'policy.gtrxl.memory': 8,
      'policy.gtrxl.segment': 4,
      'rollout.tasksPerBatch': 16,
      'rollout.groupSize': 8,
      'objective.entropyCoef': 0.3,
      'optimizer.learningRate': 0.01,
      'run.updates': 90,
    },
  },
];
