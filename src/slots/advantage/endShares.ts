import type { Batch } from '../../contract/columns.ts';
import { groupsOf } from '../../core/batch.ts';

/** [B] share of the task group of each trajectory that ended in the same state. */
export function endShares(batch: Pick<Batch, 'B' | 'taskIndex' | 'finalStateKey'>): Float64Array {
  const share = new Float64Array(batch.B);
  for (const group of groupsOf(batch)) {
    const count = answersOf(batch, group);
    for (const i of group) share[i] = count.get(answerOf(batch, i))! / group.length;
  }
  return share;
}

const answerOf = ({ finalStateKey }: Pick<Batch, 'finalStateKey'>, i: number): string =>
  `${finalStateKey[2 * i]}:${finalStateKey[2 * i + 1]}`;

/** How many members of a group ended in each state; answers in order of first appearance. */
export function answersOf(batch: Pick<Batch, 'finalStateKey'>, group: readonly number[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const i of group) count.set(answerOf(batch, i), (count.get(answerOf(batch, i)) ?? 0) + 1);
  return count;
}
