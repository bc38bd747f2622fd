import type { Batch, ShownField } from '../contract/columns.ts';
import type { BesideView } from '../engine/backend.ts';
import type { Expected } from '../engine/taskFeed.ts';
import type { Scene } from '../envs/types.ts';
import type { LawView } from './law.ts';
import type { Positions } from '../slots/metrics/batchMeasures.ts';
import type { WeightHistogram } from '../core/math/weightHistogram.ts';
import type { ForkDecision } from '../slots/rollout/types.ts';
import type { Measured } from '../slots/metrics/measures.ts';

/** Columns of the batch that the page gets, rewards as the world paid them; 0 where the run has no such column. */
export type ShownColumns = { readonly [K in ShownField]-?: NonNullable<Batch[K]> };

/** The stored batch of one replica, and the policy over the states of one level. Replaced by newer ones. */
export type Snapshot = ShownColumns & {
  readonly update: number;
  readonly replica: number;
  /** episodes that are here, and those of the batch, of which these are the first */
  readonly B: number;
  readonly whole: number;
  readonly T: number;
  readonly words: number;
  readonly actions: readonly string[];
  /** rewards and returns as the estimator saw them; null where it saw those of the world, which are above */
  readonly judged: JudgedView | null;
  /** [B, T, actions] */
  readonly probs: Float32Array;
  /** [B, T+1, words] */
  readonly state: Uint32Array;
  /** [B, T+1] row of the state in `map` of its task, or 0xffffffff */
  readonly mapRow: Uint32Array;
  /** [B] level seed of each trajectory */
  readonly levelSeeds: Uint32Array;
  /** where rows were forked and why; absent where nothing forks */
  readonly forks?: ForksView;
  /** [B] 1 + the step in which a fork began with an action that was given to it, 0: it did not; absent where none did */
  readonly repairs?: Uint32Array;
  /** what trained beside it; absent where nothing did */
  readonly beside?: BesideShown;
  /** how actions were written, word by word; null where they are not */
  readonly written: WrittenView | null;
  /** credit of the chosen estimator and its parts, [B, T] each */
  readonly A: Float32Array;
  readonly parts: readonly { readonly name: string; readonly values: Float32Array }[];
  /** exact A of the sampling policy by dynamic programming, or null where the task is too large */
  readonly exact: Float32Array | null;
  /** agreement of A with `exact`: correlation and share of equal signs; null when undefined */
  readonly creditCorr: number | null;
  readonly creditSign: number | null;
  /** exact advantages beyond ± this made a difference; only these count for the sign */
  readonly signThreshold: number;
  /** what else is known of this batch, and the same of the batches of this replica that were shown before */
  readonly measured: Measured;
  readonly history: MeasuredHistory;
  /** ages of the units; null on fresh data */
  readonly ages: AgesView | null;
  /** behavior weights of decoupled PPO or rollout correction; null with another objective */
  readonly weights: WeightHistogram | null;
  /** what the task source expected of the tasks; null where it expects nothing */
  readonly expected: Expected | null;
  /** means by position in the episode */
  readonly positions: Positions;
  /** evaluations of this seed so far, and what the entropy law makes of them */
  readonly law: LawView;
  /** per distinct level of the batch: all reachable states with what the policy does there */
  readonly maps: readonly LevelMap[];
};

/** [B] the row that each was forked from, −1 for none, and its first own step; and all steps that could have forked. */
export type ForksView = {
  readonly parent: Int32Array;
  readonly step: Uint32Array;
  readonly decisions: readonly ForkDecision[];
};

/** Episodes that trained beside the batch, as those of the batch are shown. `mapRow` is that of the same maps. */
export type BesideShown = ShownColumns &
  Pick<Snapshot, 'B' | 'A' | 'state' | 'probs' | 'mapRow' | 'levelSeeds' | 'written'> &
  Pick<BesideView, 'rows' | 'ratio' | 'weight' | 'left'>;

/** Why the estimator does not see what the world paid: returns are normalized over the run, the KL term is in the reward. */
export type JudgedView = {
  readonly reward: Float32Array;
  readonly outcome: Float32Array;
  readonly isNormalized: boolean;
  /** titles of the reward modules that act */
  readonly shapedBy: readonly string[];
  readonly paysKl: boolean;
};

/** Units of a batch by age in updates: 0, 1, …, and in the last bin all that are older. None may be older than `bound`. */
export type AgesView = { readonly bound: number; readonly units: Float64Array };

/** Every command of the batch once, and what each decided word of each step was worth. */
export type WrittenView = {
  readonly decisions: number;
  /** [B, T] which command, index into `commands` */
  readonly command: Uint32Array;
  /** `decided[k]`: word k was a decision, the others were certain */
  readonly commands: readonly { readonly words: readonly string[]; readonly decided: readonly boolean[] }[];
  /** [B, T, decisions] log-probability and entropy of each decided word, 0 beyond */
  readonly logp: Float32Array;
  readonly entropy: Float32Array;
  /** [B, T, decisions] credit of each decided word, where words have their own */
  readonly A?: Float32Array;
};

/** Measures of the batches that were shown, oldest first: sparser than the metric record. */
export type MeasuredHistory = {
  readonly points: number;
  /** [points] update index, and environment steps so far per replica */
  readonly update: Float32Array;
  readonly envSteps: Float32Array;
  /** [measures, points] in the order of slots/metrics/measures.ts, NaN = not known */
  readonly values: Float32Array;
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
  /** [n] visits in this batch; mean credit, and mean reward as the estimator sees it, over them (0 if none) */
  readonly visits: Uint32Array;
  readonly credit: Float32Array;
  readonly paid: Float32Array;
  /** [n] KL(π_old‖π_θ) of the update in each state */
  readonly moved: Float32Array;
  /** drawing of the first state of the level */
  readonly scene: Scene;
};
