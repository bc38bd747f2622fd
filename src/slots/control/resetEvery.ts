import { settings } from '../../core/settings.ts';
import { defineController } from './types.ts';

/** The current policy becomes the reference every N updates, and the optimizer starts again. */
export const resetEvery = defineController({
  id: 'resetEvery',
  title: 'Reset every so often',
  rev: 1,
  source: { title: 'ProRL', arxiv: '2505.24864', level: 'text' },
  look: 'At regular intervals the policy becomes its own reference and the optimizer restarts.',
  params: settings({
    updates: {
      kind: 'integer',
      label: 'Reset every',
      default: 100,
      min: 1,
      max: 10000,
      unit: 'updates',
      doc: 'Updates between two resets of the reference.',
    },
  }),
  countsSteps: true,
  metrics: ['resets'],
  run: (_own, { since }, { updates }) => since >= updates,
});
