import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { outcomeCredit, outcomeOnGpu } from './trajectoryCredit.ts';

const params = settings({ rows: common.rows, singleton: common.singleton });

/**
 * Group-relative advantage: how much better a trajectory did than the others that tried the same task.
 *
 *   A[i,t] = (R[i] − mean R) / (std R + 1e-6)   over i's task group, sample std
 *
 * Every step of a trajectory gets the same number. A group whose members agree, or a group of one, gets 0. With `rows`
 * 'steps' mean and std count a trajectory once for each of its steps, as verl-agent does: long ones pull both.
 */
export const grpo = defineEstimator({
  id: 'grpo',
  title: 'GRPO',
  rev: 1,
  source: { title: 'DeepSeekMath', arxiv: '2402.03300', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = (R[i] − mean R) / std R over the task group',
  look: 'One color per trajectory. Gray rows are groups that all failed or all succeeded: nothing is learned there.',
  comparesOutcomes: true,
  params,
  alone: aloneAsGiven,
  run: (batch, { rows, singleton }) => ({ A: outcomeCredit(batch, 'std', rows, singleton) }),
  scratch: () => 1,
  gpu: (ops, { rows, singleton }) => ({ A: outcomeOnGpu(ops, 'std', rows, singleton) }),
  explain: (batch, { rows, singleton }, step) => ({
    terms: [outcomeTerm('outcome', batch, step, { rule: 'std', rows, singleton })],
  }),
});
