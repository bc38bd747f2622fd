import { leaveOneOut } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { outcomeTerm } from './explain.ts';
import { trajectoryCredit } from './trajectoryCredit.ts';

/**
 * Leave-one-out baseline.
 *
 *   A[i,t] = R[i] − 1/(n−1) · Σ R[j]   over the other members j of i's task group of n
 *
 * Every step of a trajectory gets the same number. A group whose members agree, or a group of one, gets 0.
 */
export const rloo = defineEstimator({
  id: 'rloo',
  title: 'RLOO',
  rev: 1,
  source: { title: 'Back to Basics', arxiv: '2402.14740', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = R[i] − mean of R over the other members of the task group',
  look: 'One color per trajectory, n/(n−1) times as strong as Dr. GRPO. Gray rows are groups that agree.',
  params: {},
  run: (batch) => ({ A: trajectoryCredit(batch, leaveOneOut) }),
  gpu: (ops) => ({ A: ops.broadcast(ops.normalize(ops.outcome, 'task', 'leaveOneOut')) }),
  explain: (batch, _params, step) => ({
    terms: [outcomeTerm('outcome', batch, step, trajectoryCredit(batch, leaveOneOut)[step]!, 'leaveOneOut')],
  }),
});
