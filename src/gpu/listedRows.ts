import { wordsOfRows } from '../core/slices.ts';
import type { Kernel } from './kernel.ts';
import type { Buffer, RowList } from './network.ts';
import type { CommandList } from './recorder.ts';
import listedSteps from './shaders/decision/units/listedSteps.wgsl?raw';
import listedBits from './shaders/network/sparseForward/listedBits.wgsl?raw';
import liveSteps from './shaders/rollout/liveSteps/liveSteps.wgsl?raw';

export const listKernels = {
  liveSteps: { id: 'liveSteps', wgsl: liveSteps },
  liveCount: { id: 'liveSteps.count', wgsl: liveSteps, entry: 'count' },
  liveSpread: { id: 'liveSteps.spread', wgsl: liveSteps, entry: 'spread' },
} as const satisfies Readonly<Record<string, Kernel>>;

/** A batch of S replicas with B trajectories of up to T steps. */
type Sizes = { readonly S: number; readonly B: number; readonly T: number };

/** Steps of a replica up to which one workgroup lists them all. */
const FEW = 4096;

/**
 * Lists the real steps of trajectories with a weight in `plan`, or of `all`, without reading anything back. At most
 * `trajectories` are in it. Statistics of steps that are not become 0.
 */
async function addRows(
  list: CommandList,
  { S, B, T }: Sizes,
  buffers: Readonly<Record<'plan' | 'rows' | 'stats', Buffer>>,
  all: boolean,
): Promise<void> {
  const dims = { B, T, all: Number(all) };
  if (B * T <= FEW) return list.add(listKernels.liveSteps, buffers, dims, [1, 1, S]);
  await list.add(listKernels.liveCount, buffers, dims, [1, 1, S]);
  await list.add(listKernels.liveSpread, buffers, dims, [Math.ceil((B * T) / 64), 1, S]);
}

/** What comes with networks that answer lists of live steps, and with no other. */
export const listedRows = {
  add: addRows,
  /** the list that was made last, of at most so many trajectories */
  of: ({ B, T }: Omit<Sizes, 'S'>, rows: Buffer, trajectories: number): RowList => ({
    ...{ rows, most: trajectories * T, stride: wordsOfRows(B, T), bits: listedBits },
  }),
  /** linked into kernels over the steps of a list, in the place of those over every step */
  places: [listedSteps],
} as const;
export type ListedRows = typeof listedRows;
