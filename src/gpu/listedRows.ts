import { FEW_STEPS, FEW_TRAJECTORIES, wordsOfRows } from '../core/slices.ts';
import type { Kernel } from './kernel.ts';
import type { Buffer, RowList } from './network.ts';
import type { CommandList } from './recorder.ts';
import listedSteps from './shaders/decision/units/listedSteps.wgsl?raw';
import { treeOf } from './shaders/kernels.ts';
import listedBits from './shaders/network/sparseForward/listedBits.wgsl?raw';
import otherSteps from './shaders/objective/coefficients/otherSteps.wgsl?raw';
import unitWeights from './shaders/objective/weights/unitWeights.wgsl?raw';
import liveSteps from './shaders/rollout/liveSteps/liveSteps.wgsl?raw';
import places from './shaders/rollout/liveSteps/places.wgsl?raw';
import startOf from './shaders/rollout/liveSteps/startOf.wgsl?raw';
import weighedSteps from './shaders/rollout/weighedSteps/weighedSteps.wgsl?raw';
import { sumCalls } from './sums.ts';

const lists = { wgsl: liveSteps, link: [startOf, places] } as const;

export const listKernels = {
  liveSteps: { id: 'liveSteps', ...lists },
  liveCount: { id: 'liveSteps.count', ...lists, entry: 'count' },
  liveSpread: { id: 'liveSteps.spread', ...lists, entry: 'spread' },
  weighedSteps: {
    ...{ id: 'weighedSteps', wgsl: weighedSteps, lanes: 256 },
    link: [treeOf(256), unitWeights, startOf, places],
  },
} as const satisfies Readonly<Record<string, Kernel>>;

/** A batch of S replicas with B trajectories of up to T steps. */
type Sizes = { readonly S: number; readonly B: number; readonly T: number };
type Lists = Readonly<Record<'plan' | 'list', Buffer>>;

const spread = (list: CommandList, { S, B, T }: Sizes, buffers: Lists, all: boolean): Promise<void> =>
  list.add(listKernels.liveSpread, buffers, { B, T, all: Number(all) }, [Math.ceil((B * T) / 64), 1, S]);

/**
 * Lists the real steps of trajectories with a weight in `plan`, or of `all`, without reading anything back. At most
 * `trajectories` are in it.
 */
async function addRows(list: CommandList, sizes: Sizes, buffers: Lists, all: boolean): Promise<void> {
  const { S, B, T } = sizes;
  const isSmall = B * T <= FEW_STEPS;
  const kernel = isSmall ? listKernels.liveSteps : listKernels.liveCount;
  await list.add(kernel, buffers, { B, T, all: Number(all) }, [1, 1, S]);
  if (!isSmall) await spread(list, sizes, buffers, all);
}

/**
 * The same with the weights of a minibatch before, of batches that `weighs`, and of as many `looks` as listedAtOnce says; `dims`
 * and other buffers as `weights` has them.
 */
async function addWeighed(
  list: CommandList,
  sizes: Sizes,
  { plan, list: rows, ...others }: Lists & Readonly<Record<'length' | 'units' | 'member' | 'parts', Buffer>>,
  dims: Readonly<Record<'most' | 'mode' | 'look' | 'minibatches' | 'all', number>>,
  looks: number,
): Promise<void> {
  const { S, B, T } = sizes;
  const few = B * T <= FEW_STEPS;
  const every = { S, B, T, ...dims, few: Number(few) };
  const [call] = sumCalls(listKernels.weighedSteps, S * looks, every, false, 64);
  await list.add(call.kernel, { plan, list: rows, ...others }, call.dims, call.groups);
  if (!few) await spread(list, sizes, { plan, list: rows }, dims.all === 1);
}

/** What comes with networks that answer lists of live steps, and with no other. */
export const listedRows = {
  add: addRows,
  weighs: ({ B }: Pick<Sizes, 'B'>): boolean => B <= FEW_TRAJECTORIES,
  addWeighed,
  /** a list that was made, of at most so many trajectories; of several looks at once the last has place 0 */
  of: ({ S, B, T }: Sizes, lists: GPUBuffer, trajectories: number, place = 0): RowList => {
    const stride = wordsOfRows(B, T);
    const rows = { buffer: lists, offset: 4 * S * stride * place, size: 4 * S * stride };
    return { rows, most: trajectories * T, stride, bits: listedBits };
  },
  /** linked into kernels over the steps of a list, in the place of those over every step */
  places: ['const SEATS = 64u;', startOf, listedSteps],
  /** the same for coefficients, which know how many rows a workgroup has, and put zeros into the statistics of steps that are in no list */
  coefficients: [startOf, listedSteps, otherSteps],
} as const;
export type ListedRows = typeof listedRows;
