import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { outcomeCredit } from './trajectoryCredit.ts';

const params = settings({ rows: common.rows });

/**
 * GRPO without the division by the spread, which over-weights groups where one trajectory differs from the rest.
 *
 *   A[i,t] = R[i] − mean R   over i's task group
 *
 * With `rows` 'steps' the mean counts a trajectory once for each of its steps: the baseline of OPO (arXiv 2505.23585),
 * lengths in steps.
 * The other half of Dr. GRPO, a constant in place of the length in the loss, is the loss average `constant`.
 */
export const drGrpo = defineEstimator({
  id: 'drGrpo',
  title: 'Dr. GRPO',
  rev: 1,
  source: { title: 'Understanding R1-Zero-Like Training', arxiv: '2503.20783', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = R[i] − mean R over the task group',
  look: 'Like GRPO, but the size of the credit shows how much the group disagrees.',
  comparesOutcomes: true,
  params,
  alone: () => 'nothing',
  run: (batch, { rows }) => ({ A: outcomeCredit(batch, 'mean', rows) }),
  scratch: () => 1,
  gpu: (ops, { rows }) => ({ A: ops.broadcast(ops.normalize(ops.outcome, 'task', 'mean', rows)) }),
  explain: (batch, { rows }, step) => ({ terms: [outcomeTerm('outcome', batch, step, { rule: 'mean', rows })] }),
});
