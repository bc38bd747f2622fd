import { groupsOf } from '../../core/batch.ts';
import { defineRevision } from './types.ts';

/** A ← A · Ḡ/N of its task group, Ḡ the mean size of the groups: every task counts alike, however many episodes it has. */
export const equalTasks = defineRevision({
  id: 'equalTasks',
  title: 'Every task counts alike',
  rev: 1,
  source: { title: 'Knapsack RL', arxiv: '2509.25849', level: 'code' },
  needs: ['taskIndex'],
  formula: 'A ← A · Ḡ/N',
  look: 'Without it a task counts by its episodes. Groups of equal size are left as they are.',
  caption: 'weighs credit so that every task counts alike (“Every task counts alike”)',
  params: {},
  run(A, { batch }) {
    const { B, T } = batch;
    const groups = groupsOf(batch);
    for (const rows of groups) {
      const weight = B / groups.length / rows.length;
      for (const i of rows) for (let t = 0; t < T; t++) A[i * T + t]! *= weight;
    }
  },
});
