import { anchorStats, transitionsOf } from '../anchor.ts';
import { defineMetric } from '../types.ts';

/** Spec metrics §6: what SALT can merge at all. Its sets are found on the CPU. */
export const mergedShare = defineMetric({
  id: 'mergedShare',
  title: 'Steps on shared edges',
  rev: 1,
  group: 'structure',
  unit: 'share of steps',
  doc: 'Steps whose state, action and next state occur at least twice in the task group.',
  look: 'The share of steps that merging of edges can change; falls as levels grow.',
  range: [0, 1],
  reads: ['length', 'taskIndex', 'stateKey', 'finalStateKey', 'action'],
  batch: ({ batch }) => anchorStats(transitionsOf(batch)).mergedShare,
});
