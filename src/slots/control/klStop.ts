import { settings } from '../../core/settings.ts';
import { defineController } from './types.ts';

/** Inner epochs end at a multiple of the KL that was set (the rule of SB3). */
const STOP_FACTOR = 1.5;

/** No further step on a batch once a look at it finds the policy 1.5 times this far from where the update started. */
export const klStop = defineController({
  id: 'klStop',
  title: 'KL stop',
  rev: 1,
  look: 'No further steps on a batch once the KL exceeds 1.5 times a value that you set.',
  params: settings({
    limit: {
      kind: 'number',
      label: 'KL to stop at',
      default: 0.02,
      min: 0,
      max: 10,
      unit: 'nats',
      doc: 'KL of the update; steps end at 1.5 times this.',
    },
  }),
  countsSteps: true,
  stopsAt: ({ limit }) => STOP_FACTOR * limit,
});
