import type { Gpu } from './device.ts';
import type { CommandList, Slice } from './recorder.ts';

export type Buffer = GPUBuffer | Slice;

/** Which observations a pass reads: one slot of every trajectory, or all steps of the batch. */
export type Rows = { readonly slot: number } | 'all';

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
  /** a buffer for its own arrays, freed with the batch */
  readonly make: (floats: number) => GPUBuffer;
};

/**
 * A network on WebGPU that answers all steps of a batch at once: contract/network.ts as dispatches, with the buffers that
 * they need. It knows no objective. Outputs are [S, B·T, n], of one slot the first B rows of every replica.
 */
export type GpuNetwork = {
  /** each [S, B, T, width]: what is remembered after every step of an episode that is played, which a fork takes over */
  readonly memory?: readonly { readonly buffer: GPUBuffer; readonly width: number }[];
  /** Answers these rows with the parameters `theta` into `out`; `all` keeps what the way back needs. */
  addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows): Promise<void>;
  /** The gradient of all steps from ∂L/∂out in `dOut` and what the last forward pass over all has left. */
  addBackward(list: CommandList, theta: Buffer, dOut: Buffer): Promise<void>;
};
