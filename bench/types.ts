import type { Gpu } from '../src/gpu/device.ts';

/** One way to do the work of a row: ours, or a peer's. */
export type Contender = {
  readonly name: string;
  /** Does the work `times` times and resolves when the last result is finished on its device. */
  run(times: number): Promise<void>;
  /** The numbers of a fixed amount of work from a fixed start; equal for everyone, within the row's tolerance. */
  check(): Promise<Float32Array>;
  dispose(): void | Promise<void>;
};

/** Median of the rounds in milliseconds, with quartiles; `times` is how often the work ran between two waits. */
export type Timing = {
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly times: number;
};

/** One line of the table and of the JSON file. `ratio` is the time of the best peer by ours: above 1 we are faster. */
export type Row = {
  readonly name: string;
  readonly shape: string;
  readonly oursMs: number;
  readonly peers: Readonly<Record<string, number>>;
  readonly bestPeer: string | null;
  readonly ratio: number | null;
  /** all timings, ours and peers', with quartiles and counts */
  readonly timings: Readonly<Record<string, Timing>>;
  /** other numbers of the row, e.g. steps per second or GFLOP/s */
  readonly numbers: Readonly<Record<string, number>>;
  /** what a reader must know: a peer that was left out and why, how the row was checked */
  readonly note: string;
};

/** `adapter` of a device without WebGPU */
export const NO_WEBGPU = 'no WebGPU';

/** Why `--gpu` measures nothing on this adapter. */
export const noHardware = (adapter: string): string =>
  `--gpu measures hardware alone, and what was found here is “${adapter}”. Without it a software adapter is measured, too; ` +
  'with several drivers, VK_DRIVER_FILES picks one, and CHROMIUM_PATH and BENCH_SWITCHES another browser and its switches.';

export type Device = {
  /** adapter of WebGPU, or why there is none */
  readonly adapter: string;
  readonly software: boolean;
  readonly engine: string;
  readonly cores: number;
};

export type Report = {
  readonly device: Device;
  readonly rows: readonly Row[];
  /** rows of ours that failed, one sentence each; a report with one is not a success */
  readonly failures: readonly string[];
  /** rows that a quick look had no time for */
  readonly skipped: readonly string[];
};

export const COMMANDS = ['checks', 'matmul', 'update', 'rollout', 'credit', 'ceilings', 'sweep'] as const;
export type Command = (typeof COMMANDS)[number];

export type Options = {
  readonly command: Command | 'all';
  readonly quick: boolean;
  readonly backend: 'webgpu' | 'cpu' | 'both';
  /** may everyone use all cores? The same CPU rows are measured with one thread for all, too */
  readonly threads: boolean;
  /** only rows whose name and shape contain this */
  readonly only: string | null;
};

/** What a case gets: where to run, how long, and where to put its rows. */
export type Bench = {
  readonly options: Options;
  readonly gpu: Gpu | null;
  readonly device: Device;
  /** peers exist in the page; without it only those that run here */
  readonly peers: boolean;
  /** GFLOP/s and GB/s that this device reached in the kernels of `ceilings`; 0: not measured */
  readonly ceilings: { flops: number; bytes: number };
  row(row: Row): void;
  failed(sentence: string): void;
  /** a row that was not measured because a quick look was over */
  skipped(name: string): void;
  /** `performance.now()` after which a quick look starts no further row */
  readonly until: number;
};
