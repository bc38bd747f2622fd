import type { LiveEvent } from '../config/events.ts';
import type { Config } from '../config/slots.ts';
import type { Problem } from '../core/problem.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import type { BatchName, CreditAnswer, CreditRequest, ExplainRequest, StepAnswer } from '../lab/creditTypes.ts';
import type { Inside, InsideRequest } from '../lab/inside.ts';
import type { HeldFile } from '../lab/runs/heldFile.ts';
import type { Profile } from '../lab/profileTypes.ts';
import type { MeasurementAnswer, MeasurementRequest } from '../lab/measurements.ts';
import type { RewardAnswer, RewardRequest } from '../lab/rewardTypes.ts';
import type { Snapshot } from '../lab/snapshotTypes.ts';
import type { Alarm } from '../monitor/types.ts';
import type { Mark } from '../engine/timeline.ts';
import type { Checkpoint } from '../engine/run.ts';
import type { SeriesPart } from '../engine/series.ts';
import type { Stretch } from '../engine/stretches.ts';
import type { WalkAnswer, WalkCheck } from '../lab/stepThroughTypes.ts';
import type { PeerStatus } from './peers/line.ts';

export type * from '../lab/creditTypes.ts';
export type * from '../lab/rewardTypes.ts';
export type { DenseInside, Inside, InsideRequest, WordInside } from '../lab/inside.ts';
export type * from '../lab/measurements.ts';
export type { StopsResult } from '../lab/stops.ts';
export type { BehaviorResult, Changed, Share } from '../lab/behavior/behavior.ts';
export type { DecodedMap } from '../lab/probes/decoded.ts';
export type { ProbesResult, ReadOut } from '../lab/probes/probes.ts';
export type { FactRow, NotesResult } from '../lab/notes/notes.ts';
export type { ProbeRow } from '../lab/probes/scores.ts';
export type { Decision, DecisionRequest } from '../lab/lookahead/decision.ts';
export type { AheadResult } from '../lab/lookahead/lookahead.ts';
export type { Checkpoint } from '../engine/run.ts';
export type { SeriesPart } from '../engine/series.ts';
export type { Stretch } from '../engine/stretches.ts';
export type { NoiseResult } from '../lab/noise.ts';
export type { PanelResult } from '../lab/panel.ts';
export type { LawView } from '../lab/law.ts';
export type { BesideShown, LevelMap, MeasuredHistory, Snapshot } from '../lab/snapshotTypes.ts';
export type * from '../lab/profileTypes.ts';
export type * from '../lab/stepThroughTypes.ts';
export type { KeptFor, Mark } from '../engine/timeline.ts';
export type * from '../monitor/types.ts';
export type { PeerStatus } from './peers/line.ts';
export type { CellPace } from './sweeps/cellTrainer.ts';

/** State of the one run a worker holds. */
export type RunState = 'empty' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

/** Commands over Comlink. Every call answers quickly; progress comes in frames over the data port. */
export interface LabWorker {
  /** What this device can do: adapter, limits, why not WebGPU. Measured once. */
  probe(): Promise<DeviceReport>;
  /**
   * Makes a run from a config (already checked by the page; checked again here), at update 0. Does not start it. No
   * problem and not ok: a newer `load` or `unload` came, and this one was given up.
   */
  load(config: Config): Promise<LoadAnswer>;
  /** As load, then on from a state that another worker kept. */
  takeOver(config: Config, left: LeftRun): Promise<LoadAnswer>;
  /** As takeOver, from what an earlier page has left in the storage. Does not start it. */
  resume(id: string): Promise<ResumeAnswer>;
  /**
   * The run that the current one has replaced comes back whole, by its number, and the current one can come back in turn.
   * Not ok without a problem: it is not there any more.
   */
  bringBack(run: number): Promise<LoadAnswer>;
  /** Lets go of the run and of what it holds on the device. */
  unload(): Promise<void>;
  /** Trains to the end, or the given number of updates and then waits. */
  start(updates?: number): Promise<void>;
  pause(): Promise<void>;
  /** One update, or so many, then pause; returns when it rests. */
  step(updates?: number): Promise<void>;
  /** The next update of the replica on view, worked out slot by slot; the run does not move. */
  walkUpdate(): Promise<WalkAnswer>;
  /** Makes that update in the run and compares; null if the run has gone on meanwhile. */
  finishWalk(): Promise<WalkCheck | null>;
  /** Ends the run; its curves stay. */
  stop(): Promise<void>;
  /** A live setting has another value from the next update on, or the reference is reset before it; the run continues. */
  change(path: string, value: LiveEvent['value']): Promise<StoryAnswer>;
  /** A checkpoint is kept as soon as no update is under way, with words that say why. */
  keepCheckpoint(words: string): Promise<void>;
  /** An update whose checkpoint is kept, played again for the replica on view; the run does not move. */
  lookAt(update: number): Promise<LookAnswer>;
  /** The run continues from a kept checkpoint; what came after it is dropped. */
  rewind(update: number): Promise<StoryAnswer>;
  /** A new run with other settings continues from a kept checkpoint; it takes the place of this one. */
  fork(update: number, config: Config, told: string): Promise<StoryAnswer>;
  /**
   * What the page wants to see: replica, snapshot rate (Hz, ≤ 10; 0 = none), points per series, most updates a second
   * (null: as fast as it goes), and whether it is looked at. None of it changes what is trained.
   */
  view(request: ViewRequest): Promise<void>;
  /** Digest so far: short experiment name, exact result digest per seed. */
  digest(): Promise<Digest>;
  /** All metrics as CSV text (update, seed, one column per metric). */
  csv(hasAliases?: boolean): Promise<string>;
  /** The same as a file, however long the run is. */
  table(hasAliases?: boolean): Promise<Blob>;
  /** Every number of every update so far as a file, for a bundle; null without a run. */
  curves(): Promise<HeldFile | null>;
  /** The same by metrics: to be kept behind another run. */
  columns(): Promise<CurveColumns | null>;
  /** Every number of one metric so far; null without a run. */
  column(metric: number): Promise<CurveColumn | null>;
  /**
   * Credit of up to four estimators on a batch that was shown; nothing is trained. Slow things continue for `workMs` in
   * each call and stop when nobody asks any more.
   */
  credit(request: CreditRequest): Promise<CreditAnswer>;
  /**
   * pass@k on a panel, or gradient noise, of the newest copy of the state (at most 20 updates old while it trains). Works
   * for `workMs` in each call; the call that finishes gives the result. The run does not move. Null before load.
   */
  measure(request: MeasurementRequest): Promise<MeasurementAnswer | null>;
  /** How the credit of one step came about. */
  explain(request: ExplainRequest): Promise<StepAnswer>;
  /** What the world told in the steps of an episode, or exact credit of a batch by r and by r′. */
  rewards(request: RewardRequest): Promise<RewardAnswer>;
  /** Weights, activations and attention of the policy that played a step; null if its batch is gone. */
  inside(request: InsideRequest): Promise<Inside | null>;
  /** This batch is looked at for longer: it stays until another one is held. False if it is gone. */
  hold(batch: BatchName): Promise<boolean>;
  /**
   * Some short trials of a scratch copy of the loaded run, or of a config that is not loaded as it is large; once for every
   * size. Null while a run trains or where it cannot be told.
   */
  calibrate(config?: Config): Promise<Speed | null>;
  /** Where the time of an update goes, on a scratch copy of a run that waits; null while it runs or has no device. */
  profile(): Promise<Profile | null>;
  /** The last profile as a trace-event file. */
  trace(): Promise<string>;
  /**
   * Tells other tabs of this browser what the run plays, and hears what they tell, from now on or no more; null: as it is.
   * Off until somebody says so. What is taken from others is in no config.
   */
  peers(isWanted: boolean | null): Promise<PeerStatus>;
  /** A run that its graphics device has stopped goes on upon the CPU path, from its last complete state. */
  takeCpu(): Promise<void>;
  /** Test hooks; do nothing unless the page was opened by an automated browser. */
  inject(fault: 'loseDevice' | 'refuseWork' | 'nonFinite' | 'crash'): Promise<void>;
}

export type Digest = {
  readonly config: string;
  readonly result: string;
  readonly perSeed: readonly string[];
  readonly update: number;
};

export type LoadAnswer =
  { readonly ok: true; readonly run: number } | { readonly ok: false; readonly problem: Problem | null };

/**
 * `isRunning`, `trainedOn`: as it was when it was kept; `now`: where it continues. `damage`: why its newest checkpoint could
 * not be used; null: it was. `why`: it is not there, not whole, or open in another tab.
 */
export type ResumeAnswer =
  | {
      readonly ok: true;
      readonly run: number;
      readonly config: Config;
      readonly isRunning: boolean;
      readonly update: number;
      readonly trainedOn: TrainedOn;
      readonly now: 'cpu' | 'webgpu';
      readonly damage: string | null;
    }
  | Exclude<LoadAnswer, { readonly ok: true }>
  | { readonly ok: false; readonly why: string };

/** Environment steps per second of several short trials: of all together, of the slowest and of the fastest. */
export type Speed = {
  readonly stepsPerSecond: number;
  readonly slowest: number;
  readonly fastest: number;
  /** how long episodes were in each update of the trials, as a share of their full length, and in those that come after */
  readonly shares: readonly number[];
  readonly later: number;
  /** so much of it shorter is each than the one before, as far as that is no chance: an agent is learning to be quick */
  readonly falling: number;
  /** more trials would not tell more; until then a run is faster than that */
  readonly isKnown: boolean;
  readonly beside: Beside;
};

/**
 * Seconds that what is not an update of a run takes: to prepare it at Run, one evaluation, what is shown once, one copy of its
 * state, and to give that to the page and to write it.
 */
export type Beside = {
  readonly preparing: number;
  readonly evaluation: number;
  readonly snapshot: number;
  readonly checkpoint: number;
  readonly told: number;
  readonly written: number;
};

export type ViewRequest = {
  readonly replica: number;
  readonly snapshotHz: number;
  readonly points: number;
  readonly perSecond: number | null;
  /** nobody looks at the page: work for a graphics device need not leave it time to draw */
  readonly isHidden: boolean;
};

/** The run's config afterwards, with the update from which it counts; or why nothing was changed. */
export type StoryAnswer =
  | { readonly ok: true; readonly config: Config; readonly update: number }
  | { readonly ok: false; readonly why: string };

export type LookAnswer =
  { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly why: string };

export type DeviceReport = {
  readonly webgpu: boolean;
  /** e.g. 'NVIDIA …' or 'CPU path' */
  readonly adapter: string;
  /** true for software adapters: the CPU path is used unless the user insists */
  readonly software: boolean;
  /** one sentence for people when WebGPU is not used */
  readonly why: string | null;
  readonly cores: number;
  /** what a check with this version of the lab found to be wrong on this device, one sentence, or null */
  readonly differs: string | null;
};

/**
 * Why a run that may choose trains where it does. `preparing`: on the CPU path, while a device is prepared. `measured`:
 * environment steps per second of both paths, `cpu` on so many cores. `large`: too large to be tried on both. `failed`: what the
 * device would not do.
 */
export type Choice =
  | { readonly kind: 'preparing' | 'large' }
  | { readonly kind: 'measured'; readonly webgpu: number; readonly cpu: number; readonly cores: number }
  | { readonly kind: 'failed'; readonly why: Problem };

/** Sent at most every 100 ms, and one at a time: the page answers each. */
export type Frame = {
  readonly run: number;
  /** what the run is kept as, once it has trained */
  readonly id: string;
  readonly seq: number;
  readonly state: RunState;
  readonly backend: 'webgpu' | 'cpu';
  /** where its updates so far were trained */
  readonly trainedOn: TrainedOn;
  readonly stretches: readonly Stretch[];
  /** null: it may not choose, or there is nothing to choose from */
  readonly choice: Choice | null;
  readonly backendName: string;
  readonly update: number;
  readonly updates: number;
  readonly envSteps: number;
  /** environment steps per second over the last second; null during warm-up */
  readonly stepsPerSecond: number | null;
  /** seconds left, from the 23rd update on one number twice; null before 8 updates and 2 s */
  readonly leftBetween: readonly [low: number, high: number] | null;
  readonly series: SeriesFrame | null;
  readonly snapshot: Snapshot | null;
  /** kept checkpoints, when the list has changed */
  readonly timeline: readonly Mark[] | null;
  /** everything the health monitor has found in this run, when that has changed */
  readonly alarms: readonly Alarm[] | null;
  /** something happened that a person must know (device lost, non-finite, …) */
  readonly problem: Problem | null;
};

/** One metric of every update, [n, S], and environment steps until each [n]. */
export type CurveColumn = { readonly steps: Float64Array; readonly values: Float32Array };
/** All of them one after the other: [CURVES, n, S] as the bytes of f32. */
export type CurveColumns = { readonly steps: Float64Array; readonly file: Blob };

/** All curves, thinned by keeping each bucket's minimum and maximum; full data stay in the worker. */
export type SeriesFrame = {
  readonly points: number;
  readonly S: number;
  /** [points] number of the update, from 1 (core/counting.ts) */
  readonly update: Float32Array;
  /** [points] environment steps per replica after the update, and before it */
  readonly envSteps: Float32Array;
  readonly stepsBefore: Float32Array;
  /** [CURVES, S, points], NaN = not measured */
  readonly values: Float32Array;
};

/** A state that a page holds on to, with the curves until there, where it was trained, and what the run is kept as. */
export type LeftRun = Pick<Kept, 'checkpoint' | 'trainedOn'> & {
  readonly curves: readonly HeldPart[];
  readonly id?: string;
};

/** Curves that a page holds on to: some updates as they are, or several such parts one after the other in a file. */
export type HeldPart = SeriesPart | HeldFile;

/** The state of a run between two updates, for another worker to continue from when this one is gone. */
export type Kept = {
  readonly run: number;
  readonly checkpoint: Checkpoint;
  /** where its updates were trained */
  readonly trainedOn: TrainedOn;
  /** curves that the page does not have yet, up to the checkpoint */
  readonly curves: SeriesPart;
};

/** Page → worker over the lifeline; answered between two pieces of work. */
export type Ping = { readonly ping: number };

/** Worker → page over the lifeline: an answer, a sign from the middle of long work, or a state to hold on to. */
export type Sign =
  | { readonly kind: 'pong'; readonly ping: number }
  | { readonly kind: 'beat' }
  | { readonly kind: 'kept'; readonly kept: Kept };

/** Page → worker over the data port: a frame is on the page, which was busy with it for so long; 0 where nobody looks. */
export type Answer = { readonly ack: number; readonly busyMs: number };

/** A callback of the page; it answers when it has drawn what it was told, with the milliseconds it was busy. */
export type Told<T extends readonly unknown[]> = (...news: T) => Promise<number> | void;

/** What the worker asks of its page: to start a worker on another core, which is reached at this port, or to end it. */
export type Hire = { readonly start: number; readonly port: MessagePort } | { readonly end: number };
/** What the page answers: one has failed. */
export type Fired = { readonly failed: number; readonly message: string };
