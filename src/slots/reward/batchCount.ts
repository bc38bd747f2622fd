import type { Batch } from '../../contract/columns.ts';
import type { StateSpec, Tensors } from '../../contract/state.ts';

/** What a module remembers that changes over training: how many batches it has paid. */
export const batchCount = { batches: { type: 'u32', per: 'replica', onFork: 'keep' } } as const satisfies StateSpec;

/** Batches before this one, which counts from now on. */
export const countBatch = (memory: Tensors): number => memory['batches']![0]!++;

/** The memory as it was before a batch, where it counts any. */
export function uncountBatch(_: Batch, memory: Tensors): void {
  if (memory['batches']) memory['batches'][0]!--;
}
