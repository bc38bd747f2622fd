import type { BatchSeen } from '../types.ts';
import { defineMetric } from '../types.ts';

/** Share of the decided pairs that the k-th wish decided; NaN where none was. */
function shareOf({ batch: { decidedBy } }: BatchSeen, k: number): number {
  const decided = decidedBy ? decidedBy[0]! + decidedBy[1]! + decidedBy[2]! : 0;
  return decided > 0 ? decidedBy![k]! / decided : NaN;
}

const common = { rev: 1, group: 'data', unit: 'share of pairs', range: [0, 1], reads: ['decidedBy'] } as const;

/** Which of HERON's wishes decided the pairs of a batch. */
export const decidedByFirst = defineMetric({
  ...common,
  id: 'decidedByFirst',
  title: 'Pairs decided by the first wish',
  doc: 'HERON: pairs of episodes that the most important wish ranked, among those that were ranked at all.',
  look: 'Falls once all episodes agree in the first wish; then the later ones have their turn.',
  batch: (seen) => shareOf(seen, 0),
});

export const decidedByLast = defineMetric({
  ...common,
  id: 'decidedByLast',
  title: 'Pairs decided by the last wish',
  doc: 'HERON: pairs of episodes that only the least important wish ranked, among those that were ranked at all.',
  look: 'Rises when episodes agree in everything else, and learning turns to speed.',
  batch: (seen) => shareOf(seen, 2),
});
