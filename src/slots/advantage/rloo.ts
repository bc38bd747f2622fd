import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { outcomeCredit, outcomeOnGpu } from './trajectoryCredit.ts';

const params = settings({ rows: common.rows, singleton: common.singleton });

/**
 * Leave-one-out baseline.
 *
 *   A[i,t] = R[i] − 1/(n−1) · Σ R[j]   over the other members j of i's task group of n
 *
 * Every step of a trajectory gets the same number. A group whose members agree, or a group of one, gets 0. With `rows`
 * 'steps' (verl-agent) members are steps: A = (R[i] − mean)·N/(N−1) over the N = Σ T_j steps of the group, and the others
 * of a step hold the other steps of its own trajectory.
 */
export const rloo = defineEstimator({
  id: 'rloo',
  title: 'RLOO',
  rev: 1,
  source: { title: 'Back to Basics', arxiv: '2402.14740', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = R[i] − mean of R over the other members of the task group',
  look: 'One color per trajectory, n/(n−1) times as strong as Dr. GRPO. Gray rows are groups that agree.',
  params,
  alone: aloneAsGiven,
  run: (batch, { rows, singleton }) => ({ A: outcomeCredit(batch, 'leaveOneOut', rows, singleton) }),
  scratch: () => 1,
  gpu: (ops, { rows, singleton }) => ({ A: outcomeOnGpu(ops, 'leaveOneOut', rows, singleton) }),
  explain: (batch, { rows, singleton }, step) => ({
    terms: [outcomeTerm('outcome', batch, step, { rule: 'leaveOneOut', rows, singleton })],
  }),
});
