import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { edgeHeads } from './edgeHeads.ts';
import { edgeTerms } from './explainSteps.ts';
import { meanOverHeads } from './segments.ts';
import { baseCredit } from './trajectoryCredit.ts';

const params = settings({
  base: {
    kind: 'choice',
    label: 'Trajectory credit',
    default: 'grpo',
    options: ['grpo', 'rloo'],
    optionLabels: ['GRPO', 'RLOO'],
    doc: 'How whole trajectories are compared before their steps are merged.',
  },
  history: {
    kind: 'integer',
    label: 'History',
    default: 0,
    min: 0,
    max: 64,
    doc: 'Past (state, action) pairs that merged steps must share; large values make a prefix tree.',
    formula: 'h',
  },
  count: {
    kind: 'choice',
    label: 'Repeated visits',
    default: 'visit',
    options: ['visit', 'trajectory'],
    optionLabels: ['every visit counts', 'each trajectory counts once'],
    doc: 'A trajectory with loops counts more on its edges, unless each trajectory counts only once.',
  },
  rows: common.rows,
});

/**
 * Credit of a trajectory, averaged over the trajectories that took the same edge of the state graph.
 *
 *   e[i,t] = (s[i,t], a[i,t], s[i,t+1]) and, with history h, the last min(h, t) pairs (s, a) before t
 *   A[i,t] = mean of A^traj over the members of the merged edge inside the task group,  A^traj from GRPO or RLOO
 *
 * An edge that every trajectory takes once becomes neutral: only decisive steps learn. With visit counting Σ A over the batch
 * is kept. Where statistics count steps (`rows`), A^traj adds up to 0 over steps and no longer over trajectories, and so a
 * shared edge keeps a rest.
 */
export const salt = defineEstimator({
  id: 'salt',
  title: 'SALT',
  rev: 1,
  source: { title: 'SALT', arxiv: '2510.20022', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'stateKey', 'finalStateKey', 'action'],
  formula: 'A[i,t] = mean over the steps (s, a, s′) of the task group of their trajectory’s advantage',
  look: 'The corridor that every episode walks turns gray; the fork lights up.',
  params,
  alone: () => 'nothing',
  run(batch, { base, history, count, rows }) {
    return { A: meanOverHeads(batch, baseCredit(batch, base, rows), edgeHeads(batch, history), count) };
  },
  explain: (batch, { history, ...how }, step) => edgeTerms(batch, edgeHeads(batch, history), how, step),
  scratch: ({ history }) => 6 + (history > 0 ? 2 * (Math.floor(Math.log2(history)) + 2) : 0),
  gpu(ops, { base, history, count, rows }) {
    const credit = ops.broadcast(ops.normalize(ops.outcome, 'task', base === 'rloo' ? 'leaveOneOut' : 'std', rows));
    return { A: ops.meanOver(credit, ops.sets({ of: 'edge', past: history }), count) };
  },
});
