import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { ownerHeads } from './forkTree.ts';
import { meanOverHeads } from './segments.ts';
import { baseCredit, outcomeOnGpu } from './trajectoryCredit.ts';

const params = settings({
  shared: {
    kind: 'choice',
    label: 'Shared steps',
    default: 'soft',
    options: ['soft', 'hard'],
    optionLabels: ['each episode’s own (paper)', 'mean of their episodes'],
    doc: 'Credit of steps that several episodes share because they were forked later.',
  },
  rows: common.rows,
});

/**
 * Credit on a tree of forked episodes; all leaves of a task are one group.
 *
 *   soft: A[i,t] = A^GRPO[i]
 *   hard: A[i,t] = mean of A^GRPO[j] over the episodes j that share step t of i
 *
 * Steps are shared because they were sampled once, not because their states agree. A step in d episodes stands in d rows
 * with the same ratio, so both forms give the same gradient where nothing is clipped and rows weigh alike.
 */
export const arpo = defineEstimator({
  id: 'arpo',
  title: 'ARPO',
  rev: 1,
  source: { title: 'Agentic Reinforced Policy Optimization', arxiv: '2507.19849', level: 'digest' },
  needs: ['outcome', 'taskIndex', 'length', 'branchParent', 'branchStep'],
  formula: 'A[i,t] = normalize(R) over the leaves; hard: its mean over the episodes that share step t',
  look: 'With hard attribution, the shared stem of a tree of episodes turns gray and its branches carry the difference.',
  params,
  alone: () => 'nothing',
  run(batch, { shared, rows }) {
    const A = baseCredit(batch, 'grpo', rows);
    return { A: shared === 'hard' ? meanOverHeads(batch, A, ownerHeads(batch)) : A };
  },
  // which episodes share a step is known on the CPU
  onGpu: ({ shared }) => shared === 'soft',
  scratch: () => 1,
  gpu: (ops, { rows }) => ({ A: outcomeOnGpu(ops, 'std', rows, 'zero') }),
});
