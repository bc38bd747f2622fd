import { normalize } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { outcomeTerm } from './explain.ts';
import { trajectoryCredit } from './trajectoryCredit.ts';

/**
 * Group-relative advantage: how much better a trajectory did than the others that tried the same task.
 *
 *   A[i,t] = (R[i] − mean R) / (std R + 1e-6)   over i's task group, sample std
 *
 * Every step of a trajectory gets the same number. A group whose members agree, or a group of one, gets 0.
 */
export const grpo = defineEstimator({
  id: 'grpo',
  title: 'GRPO',
  rev: 1,
  source: { title: 'DeepSeekMath', arxiv: '2402.03300', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = (R[i] − mean R) / std R over the task group',
  look: 'One color per trajectory. Gray rows are groups that all failed or all succeeded: nothing is learned there.',
  params: {},
  run: (batch) => ({ A: trajectoryCredit(batch, (R) => normalize(R, 'std')) }),
  gpu: (ops) => ({ A: ops.broadcast(ops.normalize(ops.outcome, 'task', 'std')) }),
  explain: (batch, _params, step) => ({
    terms: [outcomeTerm('outcome', batch, step, trajectoryCredit(batch, (R) => normalize(R, 'std'))[step]!, 'std')],
  }),
});
