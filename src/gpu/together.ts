import type { Call } from './products.ts';
import type { CommandList, Slice } from './recorder.ts';

/** A dispatch with what it is bound to. */
export type Given = Call & { readonly buffers: Readonly<Record<string, GPUBuffer | Slice>> };

const add = async (list: CommandList, calls: readonly Given[]): Promise<void> => {
  for (const { kernel, buffers, dims, groups } of calls) await list.add(kernel, buffers, dims, groups);
};
const isApart = ({ gpu }: CommandList): boolean => gpu.software || gpu.plainBecause !== null;

/** Adds dispatches in their order. On graphics devices those that wait for none of the ones between stand side by side. */
export async function addInOrder(list: CommandList, calls: readonly Given[]): Promise<void> {
  if (isApart(list) || calls.length < 2) return add(list, calls);
  const { inTurns, joined } = await import('./joined.ts');
  for (const turn of inTurns(calls)) await add(list, joined(list.gpu, turn));
}

/**
 * Adds jobs that nothing of each other wait for, each of one dispatch or of several that follow one another. On graphics devices
 * their first ones are as few dispatches as buffers and memory allow, then their second ones: there each waits for the one before it.
 */
export async function addTogether(list: CommandList, jobs: readonly (readonly Given[])[]): Promise<void> {
  if (isApart(list)) return add(list, jobs.flat());
  const { apart, joined } = await import('./joined.ts');
  const { alone, together } = apart(jobs);
  await add(list, alone.flat());
  for (let k = 0; together.some((job) => k < job.length); k++)
    await add(
      list,
      joined(
        list.gpu,
        together.flatMap((job) => job[k] ?? []),
      ),
    );
}
