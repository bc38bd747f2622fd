import type { Preset } from './presets.ts';

/** Experiments that begin with a clone of somebody. */
export const clonePresets: readonly Preset[] = [
  {
    id: 'room-two-solvers',
    title: 'Empty room, clone of two solvers · GiGPO',
    look: 'Three of four solutions were the second solver’s, who errs. Under Curves, Structure, the first takes over; with a KL weight of 1 both stay.',
    changes: {
      ...{ 'task.grid.level': 'empty', 'task.grid.n': 6, 'task.grid.maxSteps': 16, 'run.updates': 200 },
      ...{ 'policy.cloneEpisodes': 16, 'policy.cloneSteps': 150, 'policy.cloneData': 'mixture' },
      ...{ 'policy.cloneShare': 0.75, 'policy.cloneErrs': 0.5 },
    },
  },
];
