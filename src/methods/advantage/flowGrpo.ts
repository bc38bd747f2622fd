import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { outcomeCredit } from './trajectoryCredit.ts';

const params = settings({
  rows: {
    kind: 'choice',
    label: 'Statistics over',
    default: 'trajectories',
    options: ['trajectories', 'steps'],
    optionLabels: ['each trajectory once (paper)', 'each turn once (released code)'],
    doc: 'Counted per turn, long trajectories pull the group mean towards themselves.',
  },
});

/**
 * One verified outcome per trajectory, given to every turn: each turn becomes a training row of its own.
 *
 *   A[i,t] = Normalize(R) over i's task group
 *
 * As credit this is GRPO. The method's other half is the objective: average over the turns of a trajectory first, then
 * over trajectories (the loss average `seqMeanUnitMean`), with a policy that sees a memory and not the whole past.
 */
export const flowGrpo = defineEstimator({
  id: 'flowGrpo',
  title: 'Flow-GRPO',
  rev: 1,
  source: { title: 'In-the-Flow Agentic System Optimization', arxiv: '2510.05592', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'A[i,t] = (R[i] − mean R) / std R over the task group, for every turn',
  look: 'As GRPO; counted per turn, groups with one long failure shift towards it.',
  params,
  run: (batch, { rows }) => ({ A: outcomeCredit(batch, 'std', rows) }),
  gpu: (ops, { rows }) => ({
    A:
      rows === 'steps'
        ? ops.normalize(ops.broadcast(ops.outcome), 'task', 'std')
        : ops.broadcast(ops.normalize(ops.outcome, 'task', 'std')),
  }),
});
