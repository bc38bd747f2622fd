import { returnsToGo } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { batchHeads, normalizeHeads, taskHeads, timeHeads } from './segments.ts';
import { sumOfParts } from './trajectoryCredit.ts';

const params = settings({
  alpha: {
    kind: 'number',
    label: 'Turn weight',
    default: 0.5,
    min: 0,
    max: 2,
    doc: 'Weight of what followed, compared with the same step of the other episodes.',
    formula: 'α',
  },
  beta: {
    kind: 'number',
    label: 'Immediate weight',
    default: 0.5,
    min: 0,
    max: 2,
    doc: 'Weight of the reward that the step itself earned.',
    formula: 'β',
  },
  gamma: common.gamma,
  scope: {
    kind: 'choice',
    label: 'Immediate part compares',
    default: 'task',
    options: ['task', 'batch'],
    optionLabels: ['steps of the task group', 'steps of the whole batch'],
    doc: 'The first version of the paper compared immediate rewards over the batch.',
  },
});

/**
 * Compares steps that have the same index, and immediate rewards.
 *
 *   A[i,t]     = α·Aᵗᵘʳⁿ[i,t] + β·Aⁿᵒʷ[i,t]
 *   Aᵗᵘʳⁿ[i,t] = Normalize(G) over the steps t of i's task group that exist,   G[i,t] = Σ_{k≥t} γ^(k−t) r[i,k]
 *   Aⁿᵒʷ[i,t]  = Normalize(r) over all steps of the task group (or of the batch)
 *
 * Made for dense rewards. Late steps have little company: one that no other trajectory reached has no turn part.
 */
export const mapo = defineEstimator({
  id: 'mapo',
  title: 'MAPO',
  rev: 1,
  source: { title: 'MAPO (later MICA)', arxiv: '2603.06194', level: 'digest' },
  needs: ['reward', 'taskIndex', 'length'],
  formula: 'A = α · normalize(G over equal step index) + β · normalize(r over the task group)',
  look: 'Groups by time where GiGPO groups by place: with a sparse reward it rewards speed.',
  params,
  parts: ['turn', 'immediate'],
  alone: ({ beta }) => (beta > 0 ? 'anyway' : 'nothing'),
  run(batch, { alpha, beta, gamma, scope }) {
    const wider = scope === 'task' ? taskHeads(batch) : batchHeads(batch);
    const parts = {
      turn: normalizeHeads(returnsToGo(batch, gamma), timeHeads(batch), 'std').map((x) => alpha * x),
      immediate: normalizeHeads(batch.reward, wider, 'std').map((x) => beta * x),
    };
    return { A: sumOfParts(parts), parts };
  },
  scratch: () => 10,
  gpu(ops, { alpha, beta, gamma, scope }) {
    const sameTime = ops.sets({ of: 'time', past: 0 });
    const followed = ops.normalizeSets(ops.returnsToGo(ops.reward, gamma), sameTime, 'std');
    const now = ops.normalize(ops.reward, scope, 'std');
    const parts = { turn: ops.combine(alpha, followed, 0, followed), immediate: ops.combine(beta, now, 0, now) };
    return { A: ops.combine(1, parts.turn, 1, parts.immediate), parts };
  },
});
