import type { Batch } from '../../contract/columns.ts';
import { groupsOf } from '../../core/batch.ts';

/** [B] x[i] minus the largest of the others of its task group where x[i] is above it; 0 elsewhere, and alone. */
export function leads(batch: Pick<Batch, 'B' | 'taskIndex'>, x: ArrayLike<number>): Float32Array {
  const lead = new Float32Array(batch.B);
  for (const group of groupsOf(batch)) {
    if (group.length < 2) continue;
    const [best, second] = [...group].sort((i, j) => x[j]! - x[i]!) as [number, number];
    lead[best] = x[best]! - x[second]!;
  }
  return lead;
}
