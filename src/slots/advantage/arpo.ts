import type { Batch } from '../../contract/columns.ts';
import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { given } from './given.ts';
import { meanOverHeads, type Heads } from './segments.ts';
import { baseCredit } from './trajectoryCredit.ts';

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
});

/**
 * Steps with the same origin, each set under the index of the step that was sampled. Walk up from (i,t) while t < branchStep: the step where that ends is the owner. Each
 * trajectory copies the owners of its parent, parents first; a parent that is no trajectory of the same task, or a circle
 * of parents, ends the walk.
 */
export function ownerHeads(
  batch: Pick<Batch, 'B' | 'T' | 'length' | 'taskIndex' | 'branchParent' | 'branchStep'>,
): Heads {
  const { B, T, length, taskIndex } = batch;
  const parent = given(batch, 'branchParent');
  const step = given(batch, 'branchStep');
  const owner = new Int32Array(B * T).fill(-1);
  const isDone = new Uint8Array(B);
  for (let first = 0; first < B; first++) {
    const path: number[] = [];
    for (let i = first; i >= 0 && i < B && isDone[i] === 0; i = parent[i]!) {
      isDone[i] = 1;
      path.push(i);
    }
    for (const i of path.reverse()) {
      const p = parent[i]!;
      const isForked = p >= 0 && p < B && taskIndex[p] === taskIndex[i];
      for (let t = 0; t < length[i]!; t++) {
        const inherited = isForked && t < step[i]! ? owner[p * T + t]! : -1;
        owner[i * T + t] = inherited >= 0 ? inherited : i * T + t;
      }
    }
  }
  return owner;
}
