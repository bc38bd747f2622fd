import { groupsOf, stepsOf, type Batch } from '../../core/batch.ts';
import { anchorStats, transitionsOf } from './anchor.ts';
import { creditConcentration } from './creditStats.ts';
import { define } from './metric.ts';

/**
 * Numbers that are measured on the batches a person looks at, not on every update: they need the batch on the CPU, some
 * of them exact values. They make sparser curves than the metric record and have no place in it.
 */
export const measures = define([
  {
    id: 'creditCorr',
    title: 'Credit correlation',
    group: 'credit',
    unit: 'Pearson r',
    doc: 'Correlation of the assigned credit with the exact advantage over all steps of the batch.',
    look: '1 would be perfect, 0 means that credit and truth have nothing to do with each other.',
    range: [-1, 1],
  },
  {
    id: 'creditSign',
    title: 'Credit sign',
    group: 'credit',
    unit: 'share of steps',
    doc: 'Share of the steps with an exact advantage beyond ±0.02 whose credit has the right sign; 0 counts as wrong.',
    look: 'One half is a coin; outcome credit often stays near 0.6.',
    range: [0, 1],
  },
  {
    id: 'gradCosine',
    title: 'Gradient direction',
    group: 'credit',
    unit: 'cosine',
    doc: 'Cosine between the gradient this credit gives on the table of logits and the exact gradient of the return.',
    look: '1 points uphill, 0 points nowhere, below 0 the update makes the policy worse.',
    range: [-1, 1],
  },
  {
    id: 'contrastCoverage',
    title: 'Steps with a contrast',
    group: 'structure',
    unit: 'share of steps',
    doc: 'Steps whose state was met in the task group with at least two different actions.',
    look: 'Only there can steps be compared with each other. Usually far below the anchor share.',
    range: [0, 1],
  },
  {
    id: 'groupSize',
    title: 'Size of step groups',
    group: 'structure',
    unit: 'steps',
    doc: 'Mean over the steps of how many steps of the task group start in the same state, itself counted.',
    look: '1 means that no state was met twice. Falls as levels grow.',
  },
  {
    id: 'mergeRatio',
    title: 'Merged edges',
    group: 'structure',
    unit: 'share',
    doc: '1 − distinct edges (state, action, next state) of the task groups / steps.',
    look: 'How much of the trajectory graph is shared; 0 means that every step is an edge of its own.',
    range: [0, 1],
  },
  {
    id: 'creditConcentration',
    title: 'Credit concentration',
    group: 'credit',
    unit: 'share of Σ|A|',
    doc: 'Share of the sum of |A| that the loudest tenth of the steps carries.',
    look: '0.1 when all steps are equally loud; near 1 when a few decisive steps carry everything.',
    range: [0, 1],
  },
]);

export type MeasureId = (typeof measures)[number]['id'];
/** null: not defined for this batch, or not known */
export type Measured = { readonly [id in MeasureId]: number | null };

/** What is known without exact values: structure of the groups, and where the credit lies. A: [B, T]. */
export function structureOf(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'stateKey' | 'finalStateKey' | 'action'>,
  A: Float32Array,
): Omit<Measured, 'creditCorr' | 'creditSign' | 'gradCosine'> {
  const stats = anchorStats(transitionsOf(batch));
  const steps = stepsOf(batch, groupsOf(batch).flat());
  return {
    contrastCoverage: stats.contrastCoverage,
    groupSize: stats.meanSizeStepWeighted,
    mergeRatio: stats.mergeRatio,
    creditConcentration: creditConcentration(Float32Array.from(steps, (k) => A[k]!)),
  };
}
