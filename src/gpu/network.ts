import type { Gpu } from './device.ts';
import type { Head } from './head.ts';
import type { ListedRows } from './listedRows.ts';
import type { NormSums } from './norm.ts';
import type { CommandList, Slice } from './recorder.ts';

export type Buffer = GPUBuffer | Slice;

/** Which observations a pass reads: one slot of every trajectory, or all steps of the batch. */
export type Rows = { readonly slot: number } | 'all';

/** A list of live steps on the device, see liveSteps.wgsl: at most so many rows, and the words of a replica. Not all networks answer one. */
export type RowList = {
  readonly rows: Buffer;
  readonly most: number;
  readonly stride: number;
  /** where rows have their observation bits */
  readonly bits: string;
};

/** What a network reads and where its gradient goes: S replicas with B trajectories of up to T steps each. */
export type NetworkBatch = {
  readonly gpu: Gpu;
  readonly S: number;
  readonly B: number;
  readonly T: number;
  readonly obsWords: number;
  /** [S, B, T+1, obsWords] observation bits */
  readonly obs: Buffer;
  /** [S, B] steps of every trajectory */
  readonly length: Buffer;
  /** [S, slices, size] and [S, size]: slices of ∂L/∂θ, and their sum */
  readonly partials: Buffer;
  readonly gradient: Buffer;
  /** what is added up with it for the step that follows, where anything is */
  readonly sums?: NormSums | null;
  /** a buffer for its own arrays, freed with the batch */
  readonly make: (floats: number) => GPUBuffer;
};

/**
 * A network on WebGPU that answers all steps of a batch at once: contract/network.ts as dispatches, with the buffers that
 * they need. It knows no objective. Outputs are [S, B·T, n], of one slot the first B rows of every replica, of a list the first ones.
 */
export type GpuNetwork = {
  /** each [S, B, T, width]: what is remembered after every step of an episode that is played, which a fork takes over */
  readonly memory?: readonly { readonly buffer: GPUBuffer; readonly width: number }[];
  /** where it answers lists of live steps, what makes them; their outputs lie one after the other, without gaps */
  readonly lists?: ListedRows;
  /**
   * Its last layer, or all of it, for a look that does it in one dispatch with the objective, with the way back through the
   * last layer where it `learns`; null where that is a dispatch of its own.
   */
  head?(theta: Buffer, rows: RowList, learns: boolean): Promise<Head | null>;
  /**
   * Answers these rows with the parameters `theta` into `out`, null: up to its `head`; all but a slot keep what the way
   * back needs.
   */
  addForward(list: CommandList, theta: Buffer, out: Buffer | null, rows: Rows | RowList): Promise<void>;
  /**
   * The gradient of all steps, or those of a list, from ∂L/∂out in `dOut` and what the last forward pass over them has
   * left; `isBelow`: ∂L by what its `head` reads is there.
   */
  addBackward(list: CommandList, theta: Buffer, dOut: Buffer, rows?: RowList, isBelow?: boolean): Promise<void>;
};
