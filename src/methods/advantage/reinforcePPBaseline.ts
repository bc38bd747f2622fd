import { normalize } from '../../core/stats.ts';
import { defineEstimator } from '../types.ts';
import { baselineAmongAll } from './explainSteps.ts';
import { whiten } from './segments.ts';
import { trajectoryCredit } from './trajectoryCredit.ts';

/**
 * REINFORCE++ with the group mean as baseline: compared inside the task group, scaled by the whole batch.
 *
 *   c[i] = R[i] − mean R over i's task group        A = Whiten(c on every real step)
 *
 * Unlike GRPO an easy group cannot blow up its own signal, since the spread is that of the batch.
 */
export const reinforcePPBaseline = defineEstimator({
  id: 'reinforcePPBaseline',
  title: 'REINFORCE++ baseline',
  rev: 1,
  source: { title: 'REINFORCE++', arxiv: '2501.03262', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A = whiten(R[i] − mean R of the task group) over the batch',
  look: 'One color per trajectory; groups that agree are nearly gray, but shifted by the mean over all steps.',
  params: {},
  run: (batch) => ({
    A: whiten(
      batch,
      trajectoryCredit(batch, (R) => normalize(R, 'mean')),
    ),
  }),
  gpu: (ops) => ({ A: ops.normalize(ops.broadcast(ops.normalize(ops.outcome, 'task', 'mean')), 'batch', 'std') }),
  explain: (batch, _params, step) => ({
    terms: [
      baselineAmongAll(
        batch,
        trajectoryCredit(batch, (R) => normalize(R, 'mean')),
        step,
      ),
    ],
  }),
});
