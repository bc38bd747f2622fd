import { normalize } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { outcomeTerm } from './explain.ts';
import { trajectoryCredit } from './trajectoryCredit.ts';

/**
 * GRPO without the division by the spread, which over-weights groups where one trajectory differs from the rest.
 *
 *   A[i,t] = R[i] − mean R   over i's task group
 *
 * The other half of Dr. GRPO, a constant in place of the length in the loss, is the loss average `constant`.
 */
export const drGrpo = defineEstimator({
  id: 'drGrpo',
  title: 'Dr. GRPO',
  rev: 1,
  source: { title: 'Understanding R1-Zero-Like Training', arxiv: '2503.20783', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = R[i] − mean R over the task group',
  look: 'As GRPO, but the size of the credit shows how much the group disagrees.',
  params: {},
  run: (batch) => ({ A: trajectoryCredit(batch, (R) => normalize(R, 'mean')) }),
  gpu: (ops) => ({ A: ops.broadcast(ops.normalize(ops.outcome, 'task', 'mean')) }),
  explain: (batch, _params, step) => ({
    terms: [outcomeTerm('outcome', batch, step, trajectoryCredit(batch, (R) => normalize(R, 'mean'))[step]!, 'mean')],
  }),
});
