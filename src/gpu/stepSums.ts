import { lanesOf } from '../core/slices.ts';
import type { Kernel } from './kernel.ts';
import type { Call } from './products.ts';
import type { Gpu } from './device.ts';
import type { CommandList } from './recorder.ts';
import { stepTreeOf } from './shaders/kernels.ts';
import { sumCalls } from './sums.ts';
import { addTogether, type Given } from './together.ts';

/**
 * Lanes of a workgroup that together leave one of the parts, several to a row; null where each has rows of its own. A card waits
 * for memory at every step that a lane walks, and adapters that run shaders on the CPU for every barrier.
 */
export type StepForm = number | null;
const CARD: StepForm = 128;

type Sizes = Call['dims'] & Readonly<Record<'B' | 'T', number>>;

/** The dispatches of a kernel over the steps of rows, which are linked with steps.wgsl here; as sumCalls has them. */
export function stepCalls(kernel: Kernel, S: number, dims: Sizes, form: StepForm, lanes = lanesOf(dims.B)): Call[] {
  const { B, T } = dims;
  const most = form ?? 64;
  const group = Math.min(most, kernel.lanes ?? most);
  const linked = { ...kernel, lanes: group, link: [...(kernel.link ?? []), stepTreeOf(group, form ? group : 1)] };
  const isFew = lanes === 64;
  let pieces = 1;
  // of few rows as many as the workgroup has lanes for, of many until a lane walks four steps; never more parts than `lanesOf` are
  while (form && 2 * pieces * (isFew ? B : 1) <= group && (isFew || (4 * pieces < T && B * pieces < 4096 * group)))
    pieces *= 2;
  const all = form && !isFew ? group * Math.ceil((B * pieces) / group) : lanes;
  return sumCalls(linked, S, { ...dims, pieces }, false, all);
}

/** Those dispatches in the form of a device. `parts` [partsOf(S, B, actions)] among the buffers is scratch. */
export const stepSums = (
  { software }: Pick<Gpu, 'software'>,
  kernel: Kernel,
  S: number,
  buffers: Given['buffers'],
  dims: Sizes,
): Given[] => stepCalls(kernel, S, dims, software ? null : CARD).map((call) => ({ ...call, buffers }));

/** Adds them to a list. */
export const addStepSums = (
  list: CommandList,
  kernel: Kernel,
  S: number,
  buffers: Given['buffers'],
  dims: Sizes,
): Promise<void> => addTogether(list, [stepSums(list.gpu, kernel, S, buffers, dims)]);
