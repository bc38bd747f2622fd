import type { Batch } from '../../contract/columns.ts';
import { groupsOf, stepsOf } from '../../core/batch.ts';
import { anchorStats, mergedOutcomes, transitionsOf } from './anchor.ts';
import { creditConcentration } from '../../core/math/creditStats.ts';
import { batchMeasures, distributionsOf, type BatchMeasureId, type Looked, type Words } from './batchMeasures.ts';
import { defineMetrics } from './types.ts';

/**
 * Numbers that are measured on the batches a person looks at, not on every update: they need the batch on the CPU, some
 * of them exact values. They make sparser curves than the metric record and have no place in it.
 */
export const measures = defineMetrics([
  {
    id: 'creditCorr',
    title: 'Credit correlation',
    group: 'credit',
    unit: 'Pearson r',
    doc: 'Correlation of the assigned credit with the exact advantage over all steps of the batch.',
    look: '1 is perfect; 0 means that credit and truth are unrelated.',
    range: [-1, 1],
  },
  {
    id: 'creditSign',
    title: 'Credit sign',
    group: 'credit',
    unit: 'share of steps',
    doc: 'Share of the steps with an exact advantage beyond 0.02 of the range of rewards whose credit has the right sign; 0 counts as wrong.',
    look: 'One half is a coin toss; outcome credit often stays near 0.6.',
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
    doc: 'Steps whose state occurs in the task group with at least two different actions.',
    look: 'Only there can steps be compared with each other. Usually far below the anchor share.',
    range: [0, 1],
  },
  {
    id: 'groupSize',
    title: 'Size of step groups',
    group: 'structure',
    unit: 'steps',
    doc: 'Mean over steps of how many steps in the task group start in the same state, counting the step itself.',
    look: '1 means that no state was visited twice. Falls as levels grow.',
  },
  {
    id: 'mergeRatio',
    title: 'Merged edges',
    group: 'structure',
    unit: 'share',
    doc: '1 − distinct edges (state, action, next state) of the task groups / steps.',
    look: 'How much of the trajectory graph is shared; 0 means that every step has its own edge.',
    range: [0, 1],
  },
  {
    id: 'creditConcentration',
    title: 'Credit concentration',
    group: 'credit',
    unit: 'share of Σ|A|',
    doc: 'Share of the sum of |A| that falls on the tenth of the steps with the largest |A|.',
    look: '0.1 when all steps weigh the same; near 1 when a few decisive steps carry everything.',
    range: [0, 1],
  },
  {
    id: 'spl',
    title: 'Success by path length',
    group: 'structure',
    unit: 'share',
    doc: 'SPL: mean of success · shortest / max(shortest, taken); a gap where the shortest path is not known.',
    look: 'Below success by the detours of successful episodes. On a slippery floor the shortest path needs luck.',
    range: [0, 1],
  },
  {
    id: 'excessSteps',
    title: 'Detour of successes',
    group: 'structure',
    unit: 'steps',
    doc: 'Mean steps of successful episodes beyond the shortest path; a gap where the shortest path is not known.',
    look: '0: the shortest path every time.',
  },
  {
    id: 'followsFirst',
    title: 'Follows the first solver',
    group: 'structure',
    unit: 'share of episodes',
    doc: 'Of a clone of two solvers: episodes that act like the first more often where the two disagree.',
    look: 'Rises to 1 or falls to 0: training keeps one of two habits. Flat: neither pays, or KL holds both.',
    range: [0, 1],
  },
  {
    id: 'followsSecond',
    title: 'Follows the second solver',
    group: 'structure',
    unit: 'share of episodes',
    doc: 'Of a clone of two solvers: episodes that act like the second more often where the two disagree.',
    look: 'What is missing to 1 beside the first solver are episodes that follow neither.',
    range: [0, 1],
  },
  ...batchMeasures,
]);

export type MeasureId = Exclude<(typeof measures)[number]['id'], `delta${number}`> | BatchMeasureId;
/** null: not defined for this batch, or not known */
export type Measured = { readonly [id in MeasureId]: number | null };

/** What needs more than the columns of a batch. */
type Outside =
  | ('creditCorr' | 'creditSign' | 'gradCosine' | 'klExact' | 'klReverse')
  | ('spl' | 'excessSteps' | 'followsFirst' | 'followsSecond');

/** What is known without exact values: structure of the groups, where the credit lies, how far decisions moved. A, Δ: [B, T]. */
export function structureOf(
  batch: Looked['batch'] & Pick<Batch, 'finalStateKey' | 'action'>,
  A: Float32Array,
  delta: Float32Array,
  words: Words | null = null,
): Omit<Measured, Outside> {
  const edges = transitionsOf(batch);
  const stats = anchorStats(edges);
  const steps = stepsOf(batch, groupsOf(batch).flat());
  const outcome: number[] = [];
  for (let i = 0; i < batch.B; i++) for (let t = 0; t < batch.length[i]!; t++) outcome.push(batch.outcome[i]!);
  return {
    contrastCoverage: stats.contrastCoverage,
    groupSize: stats.meanSizeStepWeighted,
    groupSizeMean: stats.meanSizeAll,
    mergeRatio: stats.mergeRatio,
    mergedOutcomes: mergedOutcomes(edges, outcome),
    creditConcentration: creditConcentration(Float32Array.from(steps, (k) => A[k]!)),
    ...distributionsOf({ batch, A, delta, words }),
  };
}
