import { defineMetric } from '../types.ts';

/** What a reward module with a model measures of it on a batch before the model learns from that batch. */
export const rewardModelError = defineMetric({
  id: 'rewardModelError',
  title: 'Error of the reward model',
  rev: 1,
  group: 'data',
  unit: 'root mean square; share of pairs',
  doc: 'MiRA: of the potential, SPA: of the outcome that its contributions add up to, HERON: share of pairs ranked wrong.',
  look: 'Falls while the model learns. Where it is large, the reward says little of what the world wants.',
  reads: ['modelError'],
  batch: ({ batch }) => batch.modelError?.[0] ?? NaN,
});
