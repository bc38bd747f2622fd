import { EPSILON, isDegenerate, normalize, std } from '../../core/stats.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { rowsOf, trajectoryCredit } from './trajectoryCredit.ts';

const params = settings({ rows: common.rows });

/**
 * Mean of the group, spread of the batch.
 *
 *   A[i,t] = (R[i] − mean R over i's task group) / (std R over all trajectories of the batch + 1e-6)
 *
 * The spread of one group is tiny when nearly all succeed or fail; that of the batch is not. A group that agrees gets 0.
 */
export const litePpo = defineEstimator({
  id: 'litePpo',
  title: 'Lite PPO',
  rev: 1,
  source: { title: 'Tricks or Traps? A Deep Dive into RL for LLM Reasoning', arxiv: '2508.08221', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = (R[i] − mean R over the task group) / std R over the batch',
  look: 'The signs of GRPO on another scale: a rare success in a group no longer explodes.',
  params,
  alone: () => 'nothing',
  run(batch, { rows }) {
    const all = rowsOf(batch, [...batch.outcome.keys()], rows).map((i) => batch.outcome[i]!);
    const scale = isDegenerate(all) ? 0 : 1 / (std(all) + EPSILON);
    return { A: trajectoryCredit(batch, (R) => normalize(R, 'mean').map((a) => a * scale), rows) };
  },
  scratch: () => 1,
  gpu: (ops, { rows }) => ({
    A: ops.broadcast(ops.overSpread(ops.normalize(ops.outcome, 'task', 'mean', rows), ops.outcome, rows)),
  }),
});
