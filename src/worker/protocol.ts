import type { Config } from '../config/slots.ts';
import type { Scene } from '../envs/types.ts';
import type { Problem } from '../core/problem.ts';

/** State of the one run a worker holds. */
export type RunState = 'empty' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

/** Commands over Comlink. Every call answers quickly; progress comes in frames over the data port. */
export interface LabWorker {
  /** What this device can do: adapter, limits, why not WebGPU. Measured once. */
  probe(): Promise<DeviceReport>;
  /** Makes a run from a config (already checked by the page; checked again here). Does not start it. */
  load(config: Config): Promise<{ ok: true; run: number } | { ok: false; problem: Problem }>;
  start(): Promise<void>;
  pause(): Promise<void>;
  /** One update, then pause. */
  step(): Promise<void>;
  /** Ends the run; its curves stay. */
  stop(): Promise<void>;
  /** Back to update 0 of the same config. */
  reset(): Promise<void>;
  /** What the page wants to see: replica, snapshot rate (Hz, ≤ 10; 0 = none), points per series. */
  view(request: ViewRequest): Promise<void>;
  /** Digest so far: short experiment name, exact result digest per seed. */
  digest(): Promise<{ config: string; result: string; perSeed: readonly string[]; update: number }>;
  /** All metrics as CSV text (update, seed, one column per metric). */
  csv(): Promise<string>;
  /** 200 ms measurement: environment steps per second of this device for the loaded run; null before load. */
  calibrate(): Promise<{ stepsPerSecond: number } | null>;
  /** Test hooks; do nothing unless the page was opened by an automated browser. */
  inject(fault: 'loseDevice' | 'nonFinite' | 'crash'): Promise<void>;
}

export type ViewRequest = { readonly replica: number; readonly snapshotHz: number; readonly points: number };

export type DeviceReport = {
  readonly webgpu: boolean;
  /** e.g. 'NVIDIA …' or 'CPU path' */
  readonly adapter: string;
  /** true for software adapters: the CPU path is used unless the user insists */
  readonly software: boolean;
  /** one sentence for people when WebGPU is not used */
  readonly why: string | null;
  readonly cores: number;
};

/** Sent at most every 100 ms, at most two unanswered. The page answers each with { ack: seq }. */
export type Frame = {
  readonly run: number;
  readonly seq: number;
  readonly state: RunState;
  readonly backend: 'webgpu' | 'cpu';
  readonly backendName: string;
  readonly update: number;
  readonly updates: number;
  readonly envSteps: number;
  /** environment steps per second over the last second; null during warm-up */
  readonly stepsPerSecond: number | null;
  /** seconds left by the trimmed mean of the last 20 updates; null before 5 updates and 2 s */
  readonly secondsLeft: number | null;
  readonly series: SeriesFrame | null;
  readonly snapshot: Snapshot | null;
  /** something happened that a person must know (device lost, non-finite, …) */
  readonly problem: Problem | null;
};

/** All curves, thinned by keeping each bucket's minimum and maximum; full data stay in the worker. */
export type SeriesFrame = {
  readonly points: number;
  readonly S: number;
  /** [points] update index */
  readonly update: Float32Array;
  /** [points] environment steps so far, per replica */
  readonly envSteps: Float32Array;
  /** [METRICS, S, points], NaN = not measured */
  readonly values: Float32Array;
};

/** The stored batch of one replica, and the policy over the states of one level. Replaced by newer ones. */
export type Snapshot = {
  readonly update: number;
  readonly replica: number;
  readonly B: number;
  readonly T: number;
  readonly words: number;
  readonly actions: readonly string[];
  readonly length: Uint32Array;
  readonly taskIndex: Uint32Array;
  readonly success: Uint32Array;
  readonly outcome: Float32Array;
  readonly action: Uint32Array;
  readonly reward: Float32Array;
  readonly entropy: Float32Array;
  /** [B, T, actions] */
  readonly probs: Float32Array;
  /** [B, T+1, words] */
  readonly state: Uint32Array;
  /** [B, T+1] row of the state in `map` of its task, or 0xffffffff */
  readonly mapRow: Uint32Array;
  /** [B] level seed of each trajectory */
  readonly levelSeeds: Uint32Array;
  /** credit of the chosen estimator and its parts, [B, T] each */
  readonly A: Float32Array;
  readonly parts: readonly { readonly name: string; readonly values: Float32Array }[];
  /** exact A of the sampling policy by dynamic programming, or null where the task is too large */
  readonly exact: Float32Array | null;
  /** agreement of A with `exact`: correlation and share of equal signs (|A| > 0.02); null when undefined */
  readonly creditCorr: number | null;
  readonly creditSign: number | null;
  /** per distinct level of the batch: all reachable states with what the policy does there */
  readonly maps: readonly LevelMap[];
};

export type LevelMap = {
  readonly levelSeed: number;
  /** [n, words] */
  readonly states: Uint32Array;
  /** [n] cell of the agent */
  readonly cell: Uint32Array;
  /** [n] states with equal `layer` differ only in where the agent is (same keys, doors, …) */
  readonly layer: Uint32Array;
  /** [n, actions] */
  readonly probs: Float32Array;
  /** [n] visits in this batch; mean credit over them (0 if none) */
  readonly visits: Uint32Array;
  readonly credit: Float32Array;
  /** drawing of the first state of the level */
  readonly scene: Scene;
};

/** Page → worker over the data port. */
export type Answer = { readonly ack: number };
