import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { outcomeTerm } from './explain.ts';
import { outcomeCredit } from './trajectoryCredit.ts';

const params = settings({
  rows: { ...common.rows, optionLabels: ['each trajectory once (paper)', 'each turn once (released code)'] },
});

/**
 * One verified outcome per trajectory, given to every turn: each turn becomes its own training row.
 *
 *   A[i,t] = Normalize(R) over i's task group
 *
 * As credit this is GRPO (`rows`: the released code makes each turn a row of the statistics). The method's other half is the objective: average over the turns of a trajectory first, then
 * over trajectories (the loss average `seqMeanUnitMean`), with a policy that sees a memory and not the whole past.
 */
export const flowGrpo = defineEstimator({
  id: 'flowGrpo',
  title: 'Flow-GRPO',
  rev: 1,
  source: { title: 'In-the-Flow Agentic System Optimization', arxiv: '2510.05592', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = (R[i] − mean R) / std R over the task group, for every turn',
  look: 'Like GRPO; counted per step, a group with one long failure shifts toward it.',
  params,
  alone: () => 'nothing',
  run: (batch, { rows }) => ({ A: outcomeCredit(batch, 'std', rows) }),
  scratch: () => 1,
  gpu: (ops, { rows }) => ({ A: ops.broadcast(ops.normalize(ops.outcome, 'task', 'std', rows)) }),
  explain: (batch, { rows }, step) => ({ terms: [outcomeTerm('outcome', batch, step, { rule: 'std', rows })] }),
});
