/** Slots of an update as the profiler sees them, in order. */
export const PROFILED_SLOTS = ['rollout', 'credit', 'optimize', 'report'] as const;
export type ProfiledSlot = (typeof PROFILED_SLOTS)[number];

/** Means over the profiled updates. */
export type SlotProfile = {
  readonly slot: ProfiledSlot;
  /** milliseconds the worker itself spent: all the work on the CPU path, encoding and reading on WebGPU */
  readonly cpuMs: number;
  /** milliseconds of kernels; null on the CPU path */
  readonly gpuMs: number | null;
  readonly dispatches: number;
  /** what its dispatches can touch at most, in bytes */
  readonly bytes: number;
};

export type KernelProfile = {
  readonly kernel: string;
  readonly slot: ProfiledSlot;
  /** per update */
  readonly calls: number;
  readonly ms: number;
  readonly bytes: number;
};

/** One bar of the trace: the worker's slots, and the kernels. Microseconds from the start of the profile. */
export type Bar = {
  readonly track: 'worker' | 'gpu';
  readonly name: string;
  readonly slot: ProfiledSlot;
  readonly update: number;
  readonly startUs: number;
  readonly us: number;
};

/** Where the time of an update goes. A scratch copy was trained; the run did not move. */
export type Profile = {
  readonly backend: 'webgpu' | 'cpu';
  readonly device: string;
  /** what the run itself is trained by: on the CPU path it may have more cores than the one that is looked at */
  readonly runDevice: string;
  readonly updates: number;
  /** timestamps: measured on the device; repeats: each kernel repeated and timed from outside; wall: CPU path */
  readonly clock: 'timestamps' | 'repeats' | 'wall';
  /** microseconds to which the device rounds its timestamps, where that is why kernels were repeated */
  readonly stampUs: number | null;
  /** milliseconds of one update (on WebGPU without the profiler), and environment steps per second, all replicas */
  readonly updateMs: number;
  readonly stepsPerSecond: number;
  readonly slots: readonly SlotProfile[];
  /** slowest first */
  readonly kernels: readonly KernelProfile[];
  /** bytes held, by label, largest first */
  readonly memory: readonly { readonly label: string; readonly bytes: number }[];
  readonly bars: readonly Bar[];
};
