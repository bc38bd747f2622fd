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
  {
    id: 'key-door-resfit',
    title: 'Key and door, corrected clone · GiGPO',
    look: 'A clone of a solver that errs in six of ten steps is never in time. A correction of its logits by at most 3 (ResFiT) gets there; by at most 0.3 it cannot.',
    changes: {
      ...{ 'policy.method': 'residual', 'run.backend': 'cpu', 'run.updates': 60, 'task.grid.maxSteps': 12 },
      ...{ 'policy.cloneEpisodes': 16, 'policy.cloneSteps': 150, 'policy.cloneData': 'mixture' },
      ...{ 'policy.cloneShare': 1, 'policy.cloneErrs': 0.6 },
    },
  },
];
