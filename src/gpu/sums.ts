import { lanesOf } from '../core/slices.ts';
import type { Kernel } from './kernel.ts';
import type { Call } from './products.ts';
import type { CommandList, Slice } from './recorder.ts';

type Sizes = Readonly<Record<string, number>> & { readonly B: number };

/**
 * The dispatches of a kernel that is linked with tree.wgsl: one workgroup for few rows, else lanes and a join of these.
 * `spreads`: then its entry `spread` does something with every row, as the one workgroup does by itself.
 */
export function sumCalls(
  kernel: Kernel,
  S: number,
  dims: Sizes,
  spreads = false,
  lanes = lanesOf(dims.B),
): [Call, ...Call[]] {
  const group = kernel.lanes ?? 64;
  const entry = (name: string, x: number): Call => ({
    kernel: { ...kernel, id: `${kernel.id}.${name}`, entry: name },
    dims: { ...dims, lanes },
    groups: [x, 1, S],
  });
  if (lanes === 64) return [{ kernel, dims: { ...dims, lanes: group }, groups: [1, 1, S] }];
  const both: [Call, Call] = [entry('rows', lanes / group), entry('join', 1)];
  return spreads ? [...both, entry('spread', Math.ceil(dims.B / 64))] : both;
}

/** Adds those dispatches to a list. `parts` [partsOf(S, B, actions)] among the buffers is scratch. */
export async function addSums(
  list: CommandList,
  kernel: Kernel,
  S: number,
  buffers: Readonly<Record<string, GPUBuffer | Slice>>,
  dims: Sizes,
  spreads = false,
  lanes = lanesOf(dims.B),
): Promise<void> {
  for (const call of sumCalls(kernel, S, dims, spreads, lanes))
    await list.add(call.kernel, buffers, call.dims, call.groups);
}
