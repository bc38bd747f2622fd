import { settings } from '../../../core/settings.ts';
import type { Setting } from '../../../core/settings.ts';

/** How a reward model learns; `when`: only where it is asked for. */
export const learning = (when?: Setting['when']) =>
  settings({
    rate: {
      kind: 'number',
      label: 'Rate of the model',
      default: 0.01,
      min: 0.0001,
      max: 1,
      scale: 'log',
      doc: 'Learning rate of the reward model, which has a separate optimizer (Adam).',
      formula: 'η',
      ...(when ? { when } : {}),
    },
    looks: {
      kind: 'integer',
      label: 'Steps of the model',
      default: 4,
      min: 1,
      max: 64,
      doc: 'Optimizer steps of the model on each batch, after the batch was paid.',
      ...(when ? { when } : {}),
    },
  });
