import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { aloneAsGiven, common } from './common.ts';
import { baselineAmongAll } from './explainSteps.ts';
import { whiten } from './segments.ts';
import { outcomeCredit, outcomeOnGpu } from './trajectoryCredit.ts';

const params = settings({ rows: common.rows, singleton: common.singleton });

/**
 * REINFORCE++ with the group mean as baseline: compared inside the task group, scaled by the whole batch.
 *
 *   c[i] = R[i] − mean R over i's task group        A = Whiten(c on every real step)
 *
 * With `rows` 'steps' (verl-agent) the group mean counts a trajectory once for each of its steps, as Whiten always does: the
 * mean over all steps is then 0, and a group that agrees gets 0 up to rounding. Unlike GRPO an easy group cannot
 * blow up its own signal, since the spread is that of the batch.
 */
export const reinforcePPBaseline = defineEstimator({
  id: 'reinforcePPBaseline',
  title: 'REINFORCE++ baseline',
  rev: 1,
  source: { title: 'REINFORCE++', arxiv: '2501.03262', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A = whiten(R[i] − mean R of the task group) over the batch',
  look: 'One color per trajectory; groups that agree are nearly gray, because whitening subtracts the mean over all steps.',
  params,
  alone: (params, tasks) => (tasks > 1 ? aloneAsGiven(params) : 'nothing'),
  run: (batch, { rows, singleton }) => ({ A: whiten(batch, outcomeCredit(batch, 'mean', rows, singleton)) }),
  scratch: () => 2,
  gpu: (ops, { rows, singleton }) => ({
    A: ops.normalize(outcomeOnGpu(ops, 'mean', rows, singleton), 'batch', 'std'),
  }),
  explain: (batch, { rows, singleton }, step) => ({ terms: [baselineAmongAll(batch, { rows, singleton }, step)] }),
});
