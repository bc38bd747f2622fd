import { AGGREGATES } from '../../core/aggregate.ts';
import { FEW_TRAJECTORIES, lanesOf } from '../../core/slices.ts';
import type { Buffer } from '../../gpu/network.ts';
import type { ListedRows } from '../../gpu/listedRows.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { Looked } from './stopAbove.ts';

/** How the kernel `weights` averages the losses of a plan: the place in AGGREGATES, or the one after them where left-out episodes count. */
export const weightMode = ({ aggregate, countsMasked }: Plan): number =>
  countsMasked ? AGGREGATES.length : AGGREGATES.indexOf(aggregate);

/** Weights of the trajectories of a minibatch; their units are counted in `units`, at most `most` a step. */
export async function addWeights(
  list: CommandList,
  { S, B, T }: Pick<Plan, 'S' | 'B' | 'T'>,
  buffers: Readonly<Record<'length' | 'units' | 'member' | 'plan' | 'parts', Buffer>>,
  how: Looked & { readonly mode: number; readonly most: number },
): Promise<void> {
  const dims = { S, B, T, ...how, all: 0, few: 0 };
  await addSums(list, kernels.weights, S, buffers, dims, true, B <= FEW_TRAJECTORIES ? 64 : lanesOf(B));
}

/** How a list is made: of steps with a weight or of `all`, and of so many looks at once, the last of which is the one that `how` names. */
type Listed = { readonly by: ListedRows; readonly all: boolean; readonly looks: number };

/** The same, and the list of steps that have a weight then: in one dispatch as far as one workgroup does it. */
export async function addWeighedRows(
  to: CommandList,
  plan: Plan,
  buffers: Readonly<Record<'length' | 'units' | 'member' | 'plan' | 'parts' | 'list', Buffer>>,
  how: Looked & { readonly mode: number; readonly most: number },
  { by, all, looks }: Listed,
): Promise<void> {
  if (by.weighs(plan)) return by.addWeighed(to, plan, buffers, { ...how, all: Number(all) }, looks);
  const { list, ...others } = buffers;
  await addWeights(to, plan, others, how);
  await by.add(to, plan, { plan: buffers.plan, list }, all);
}
