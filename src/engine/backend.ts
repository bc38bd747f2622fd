import type { TrainState } from '../contract/state.ts';
import type { Batch } from '../contract/columns.ts';
import type { Exchange } from '../contract/peers.ts';
import type { Came } from '../slots/rollout/memory/types.ts';
import type { ForkDecision } from '../slots/rollout/types.ts';
import type { WeightHistogram } from '../core/math/weightHistogram.ts';
import type { Pays } from './freshPay.ts';
import type { Plan, RolloutMode, Tasks } from './plan.ts';
import type { ChosenNumbers } from '../slots/metrics/metrics.ts';
import type { PlayedVersions } from './versions.ts';

/** Slots in which a non-finite number can first appear; index + 1 is the flag in the update record. */
export const CHECKED_SLOTS = ['policy', 'reward', 'advantage', 'objective', 'optimizer'] as const;

/** What one update reports, for all replicas. */
export type UpdateRecord = {
  readonly update: number;
  /** [S, METRICS] in the order of slots/metrics/metrics.ts; NaN where not measured */
  readonly metrics: Float64Array;
  /** [S] of each metric that the config switched on, only where it did: see slots/metrics/chosen.ts */
  readonly chosen?: ChosenNumbers;
  /** [S, 2] 64-bit hash of what happened: level seeds, lengths, actions, rewards in thousandths */
  readonly hash: Uint32Array;
  /** [S] 0, or 1 + index into CHECKED_SLOTS of the first slot with a non-finite number */
  readonly bad: Uint32Array;
  /** environment steps taken by all replicas, training only, and [S] by each */
  readonly envSteps: number;
  readonly stepsOf: Float64Array;
  /** [S, P, OUTCOME] how the tasks went, only where their source wants to know: see slots/task/types.ts */
  readonly outcomes?: Float64Array;
  /** [S, P, words] a state that an episode of each passed, only where their source asks for it; all 0: none */
  readonly passed?: Uint32Array;
  /** [S, P, REACHED] episodes of each that passed each checkpoint, only where their source asks for it: contract/reached.ts */
  readonly reached?: Uint32Array;
  /** [S, P] V at the start of levels of the next update, only where their source asks for it: engine/ahead.ts */
  readonly ahead?: Float64Array;
  /** what was told to and taken from other runs, only where they are heard */
  readonly exchange?: Exchange;
};

/**
 * Commands of a batch: one token a byte [B, T], and of each decided word [B, T, decisions] log-probability, entropy, and
 * how much its log-probability has changed after the update; and its advantage, where words have their own.
 */
export type Written = {
  readonly command: Uint32Array;
  readonly logp: Float32Array;
  readonly entropy: Float32Array;
  readonly delta: Float32Array;
  readonly A?: Float32Array;
};

/** Rewards [B, T] and returns [B]. */
export type Paid = Pick<Batch, 'reward' | 'outcome'>;

/** An episode that trained beside the batch. */
export type BesideRow = {
  readonly came: Came;
  /** by a step that imitates, in place of the objective; and how often in this update */
  readonly isImitated: boolean;
  readonly times: number;
};

/** Episodes that trained beside a batch; their actions were played again. */
export type BesideView = Pick<BatchView, 'batch' | 'A' | 'state' | 'probs' | 'levelSeeds' | 'written'> & {
  readonly rows: readonly BesideRow[];
  /** [B, T] importance weight π(a|o)/π_old(a|o) of each step as the update began; 1 where no π_old was stored */
  readonly ratio: Float32Array;
  /** how much the mean loss of those that are not imitated counts */
  readonly weight: number;
  /** more were there than can be shown */
  readonly left: number;
};

/** The stored batch of one replica with its credit, for the interface and for tests. */
export type BatchView = {
  readonly replica: number;
  readonly update: number;
  /** as the estimator saw it */
  readonly batch: Batch;
  /** what the world paid, only where the estimator sees something else: normalized returns, the KL term in the reward */
  readonly world?: Paid;
  /** how the one was made of the other; absent where that is no longer known */
  readonly pays?: Pays;
  readonly A: Float32Array;
  readonly parts: Readonly<Record<string, Float32Array>>;
  /** [B, T+1, words] packed states, the one after the last step included */
  readonly state: Uint32Array;
  /** [B, T, actions] π_old, sampling temperature included */
  readonly probs: Float32Array;
  /** [B] level seed of each trajectory */
  readonly levelSeeds: Uint32Array;
  /** what a scheme that forks rows decided */
  readonly forks?: readonly ForkDecision[];
  /** [B] step limit of its task, steps that its start has used up counted; 0: that of the experiment */
  readonly limits: Uint32Array;
  /** how each step was written, word by word; absent where actions are not written */
  readonly written?: Written;
  /** [layout.size] parameters that sampled the batch; where several versions did, the newest of them */
  readonly theta: Float32Array;
  /** only where several versions may have sampled it: which played what */
  readonly versions?: PlayedVersions;
  /** [layout.size] weights that said from which actions these chose, where there is a restriction */
  readonly restriction?: Float32Array;
  /** [layout.size] parameters after the update, and [B, T] log π_θ(a|o) − log π_old(a|o) of each step under them */
  readonly after: Float32Array;
  readonly delta: Float32Array;
  /** what trained beside it, where something did */
  readonly beside?: BesideView;
  /** how the behavior weights of the batch lie, where the objective has them */
  readonly weights?: WeightHistogram | undefined;
};

/** Coefficients that may change in mid-run. */
export type Live = Coefficients & {
  /** [S] of every replica, where experiments that differ in these train together: see `planTogether` */
  readonly each?: readonly Coefficients[] | undefined;
};
export type Coefficients = { readonly learningRate: number; readonly entropyCoef: number; readonly klCoef: number };

/** The coefficients of replica s. */
export const ofReplica = (live: Live, s: number): Live => live.each?.[s] ?? live;

/**
 * One update, slot by slot, for all S replicas. A backend is made for one plan; calls come in the order
 * [rollout 'eval'], rollout 'train', credit, optimize, finish. On WebGPU the calls only record and submit;
 * `finish` resolves when the metric record has come back, and the loop does not wait for it before the next update.
 */
export interface Backend {
  readonly kind: 'webgpu' | 'cpu';
  /** updates that may be in flight at once */
  readonly depth: number;
  /** adapter or engine, for people */
  readonly description: string;
  /** Resolves later only where a scheme looks at a batch that trains between its phases. */
  rollout(tasks: Tasks, mode: RolloutMode): void | Promise<void>;
  /** Resolves later only where the estimator has no GPU form and the batch must be read back. */
  credit(live?: Live): void | Promise<void>;
  /** Resolves later only where the objective looks at every minibatch before its step. */
  optimize(update: number, live: Live): void | Promise<void>;
  finish(update: number): Promise<UpdateRecord>;
  /** The batch of the last finished update of one replica. */
  view(replica: number): Promise<BatchView>;
  save(): Promise<TrainState>;
  load(state: TrainState): void;
  /** Frees everything; buffers held afterwards are 0. */
  dispose(): void;
  /** Resolves with a reason if the device is lost; never on the CPU. */
  readonly lost: Promise<string>;
  /** bytes held, by label, for the status panel */
  memory(): Readonly<Record<string, number>>;
}

export type MakeBackend = (plan: Plan, state: TrainState) => Promise<Backend>;
