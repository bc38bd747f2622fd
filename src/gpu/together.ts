import type { Call } from './products.ts';
import type { CommandList, Slice } from './recorder.ts';

/** A dispatch with what it is bound to. */
export type Given = Call & { readonly buffers: Readonly<Record<string, GPUBuffer | Slice>> };

/**
 * Adds jobs that nothing of each other wait for, each of one dispatch or of several that follow one another. On graphics devices
 * their first ones are as few dispatches as buffers and memory allow, then their second ones: there each waits for the one before it.
 */
export async function addTogether(list: CommandList, jobs: readonly (readonly Given[])[]): Promise<void> {
  const { gpu } = list;
  const add = async (calls: readonly Given[]): Promise<void> => {
    for (const { kernel, buffers, dims, groups } of calls) await list.add(kernel, buffers, dims, groups);
  };
  if (gpu.software || gpu.plainBecause) return add(jobs.flat());
  const { apart, joined } = await import('./joined.ts');
  const { alone, together } = apart(jobs);
  await add(alone.flat());
  for (let k = 0; together.some((job) => k < job.length); k++)
    await add(
      joined(
        gpu,
        together.flatMap((job) => job[k] ?? []),
      ),
    );
}
