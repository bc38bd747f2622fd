import type { Origin } from '../contract/rows.ts';
import type { ClipBounds } from '../core/math/clip.ts';
import type { Moments, MomentStep } from '../core/math/moments.ts';
import type { Aggregate } from '../core/aggregate.ts';
import type { ModuleForm, Source } from '../contract/module.ts';
import type { Batch, BatchField, TaskField } from '../contract/columns.ts';
import type { NormalizeMode } from '../core/stats.ts';
import type { AnyValues, Settings, SettingValue, ValuesOf } from '../core/settings.ts';
import type { ProcessModel, StepScore } from './advantage/types.ts';
import type { DeviceMarks } from './objective/types.ts';
import type { MetricId } from './metrics/metrics.ts';
import type { Restriction } from './rollout/types.ts';
import type { WeightHistogram } from '../core/math/weightHistogram.ts';

/**
 * What an estimator returns: A [B, T], or of one that credits units [B, T, K], 0 on padding and beyond the last unit of a step;
 * named parts for the charts; value targets for a critic.
 */
export type Credit = {
  readonly A: Float32Array;
  readonly parts?: Readonly<Record<string, Float32Array>>;
  /** [B, T] regression target of the critic; of one that credits units [B, T, K], each for V before that unit */
  readonly target?: Float32Array;
  /** [B] 0 = the trajectory is left out of the update */
  readonly keep?: Uint8Array;
};

/**
 * How the members of a set are compared. `stdOverN`: as `std`, which is over n − 1; `comparable`: 1 in every set that can be
 * compared, 0 in the others; `average`: the mean of the set itself; `alone`: x in a set of one, 0 in the others.
 */
export type CompareMode =
  NormalizeMode | 'stdOverN' | 'leaveOneOut' | 'leaveOneOutStd' | 'comparable' | 'average' | 'alone';

/** A function of one number: |u|, exp u, ln u, 1/(1 + exp(−u)). */
export type MapName = 'abs' | 'exp' | 'log' | 'logistic';

/**
 * A function of two numbers. `divide` by 0 gives 0; comparisons give 1 or 0; `keepIf` is y where x ≠ 0, `keepUnless` where
 * x = 0, else 0.
 */
export type ZipName =
  'add' | 'subtract' | 'multiply' | 'divide' | 'min' | 'max' | 'less' | 'lessEqual' | 'equal' | 'keepIf' | 'keepUnless';

/** How often a trajectory counts in the statistics of outcomes: once, or once for each of its steps. */
export type Rows = 'trajectories' | 'steps';

/** An array of the batch on the GPU: one number per trajectory [S, B] or per step [S, B, T]. Opaque to methods. */
export type Column = { readonly per: 'trajectory' | 'step'; readonly handle: unknown };

/** Sets of steps on the GPU. Opaque to methods. */
export type Sets = { readonly handle: unknown };

/**
 * Which steps of a task group are one set. `time`: equally far from the start, whatever `past` says. `state`: the last past + 1 states agree, earlier steps are in no set. `edge`:
 * state, action and next state agree, and so do the last min(past, t) pairs (state, action), in number and content.
 */
export type SetRule = { readonly of: 'state' | 'edge' | 'time'; readonly past: number };

/** Sets that count with weight w. */
export type Level = { readonly sets: Sets; readonly w: number };

/**
 * The few operations all credit on the GPU is composed of. They know no method (spec advantage-core §0, K1–K4);
 * every call records dispatches and returns a column that stays on the GPU. All replicas at once.
 */
export type CreditOps = {
  readonly outcome: Column;
  readonly reward: Column;
  readonly value: Column;
  /** entropy of π_old */
  readonly entropy: Column;
  /** log π_old(a|o), and log π_φ(a|o) of the process model where the method needs it */
  readonly logp: Column;
  readonly logpPhi: Column;
  /** per trajectory: what a column per task, which the method needs, says of its task */
  ofTask(name: TaskField): Column;
  /** any other column of the batch with one number per trajectory or step, or the states before them; as the method needs it */
  column(name: BatchField): Column;
  /** per step: 1 where it was what its tag says */
  earnedTags(news: 'state' | 'action'): Column;
  /** per trajectory: what each part of the reward paid, REWARD_PARTS of them */
  readonly rewardParts: readonly Column[];
  /** 1 where the action belongs to a plan, where the batch says so; null where it does not */
  readonly planMask: Column | null;
  /** nominal size of a task group */
  readonly groupSize: number;
  /** K1: Σ_{k≥t} γ^{k−t} x_k over the real steps */
  returnsToGo(x: Column, gamma: number): Column;
  /** K1 over TD errors. `cut` says what V is beyond the last step of a trajectory that did not terminate */
  tdSums(gamma: number, lambda: number, cut: 'zero' | 'bootstrap' | 'egae'): { adv: Column; target: Column };
  /** K2 / K4: Normalize or LeaveOneOut over each set. `x` per trajectory: task groups or the whole batch of trajectories,
   *  each a member once or, with `rows` 'steps', once for each of its steps; `x` per step: 'task' = all steps of a task
   *  group, 'batch' = all real steps, 'player' = those of the same player, which is the batch where no players are recorded */
  normalize(x: Column, over: 'task' | 'batch' | 'player', mode: CompareMode, rows?: Rows): Column;
  /** x / (std of `of` over the whole batch or its task group + 1e-6), 0 where that agrees; both per trajectory, counted as
   *  `rows` says, or both per step */
  overSpread(x: Column, of: Column, rows?: Rows, over?: 'batch' | 'task'): Column;
  /** per trajectory: how far x is above the largest of the others of its task group; 0 where it is not, or alone */
  lead(x: Column): Column;
  /** (x − least) / (greatest − least) over the whole batch, 0 where it agrees */
  unitRange(x: Column): Column;
  /** Normalize over the task groups of the mean of x, each group a member once; x per trajectory, and so is the result */
  normalizeMeans(x: Column): Column;
  /** K3: sets of steps that agree */
  sets(rule: SetRule): Sets;
  /** steps of a task group with the same x */
  setsBy(x: Column): Sets;
  /** in row order a step joins the first set of its task group whose first observation differs in at most most(cells) of its
   *  cells from the one before the step, else it opens one */
  setsAlike(most: (cells: number) => number): Sets;
  /** the same where a step whose action is `first` or a later one is alone in its set of states, edges or observations */
  keepApart(first: number): CreditOps;
  /** Normalize over the set of each step, std over n − 1 or, with `population`, over n; 0 on steps in no set */
  normalizeSets(x: Column, sets: Sets, mode: NormalizeMode, population?: boolean): Column;
  /** Σ w·Normalize(x), std over n, and Σ w over those sets of a step, one of each level, that can be compared */
  overLevels(x: Column, levels: readonly Level[], mode: NormalizeMode): { credit: Column; weight: Column };
  /** mean of x over the set of each step: every visit counts, or each trajectory once at its first visit */
  meanOver(x: Column, sets: Sets, count: 'visit' | 'trajectory'): Column;
  /** per trajectory: share of its task group that ended in the same state */
  endShare(): Column;
  /** per step: 1 where the state leads to two others, or one and a success, that no state of the group leads to as soon */
  branches(): Column;
  /** f(a·x + b); a is 1 and b 0 unless given */
  map(f: MapName, x: Column, a?: number, b?: number): Column;
  /** f(x, y) of each trajectory where neither is a column per step, else of each step; two numbers are a column per step */
  zip(f: ZipName, x: Column | number, y: Column | number): Column;
  /** x of the next step of the trajectory, 0 in its last one; per step */
  following(x: Column): Column;
  /** per trajectory: 1 on success; 1 where it ended by itself; or 1 − steps/L */
  ended(what: 'success' | 'terminated' | 'timeLeft'): Column;
  /** per trajectory → every real step */
  broadcast(x: Column): Column;
  /** a·x + b·y + c·x·y, element-wise; numbers per trajectory count for all of its steps; c is 0 unless given */
  combine(a: number, x: Column, b: number, y: Column, c?: number): Column;
  /** x divided by the largest |x| over the real steps of the batch; all 0 where that is at most `floor` */
  scaleByLargest(x: Column, floor: number): Column;
  /** 1 where |x| ≥ least, else 0; per trajectory */
  threshold(x: Column, least: number): Column;
};

export type GpuCredit = {
  readonly A: Column;
  readonly parts?: Readonly<Record<string, Column>>;
  readonly target?: Column;
  /** per trajectory: 0 = left out of the update */
  readonly keep?: Column;
};

/** A number that stands in a formula: its letter, its value, and what it is in plain words. */
export type Quantity = { readonly symbol: string; readonly value: number; readonly what: string };

/** What a number was compared with: the members of a set and the position of this one among them. */
export type Compared = {
  readonly of: 'trajectories' | 'steps';
  /** trajectory numbers, or flat step indices */
  readonly members: readonly number[];
  readonly values: readonly number[];
  readonly at: number;
};

/** One part of the credit of one step. */
export type Term = {
  readonly name: string;
  readonly value: number;
  /** a weighted part counts `weight` in a mean over all weighted parts; without it the value is simply added */
  readonly weight?: number;
  readonly formula: string;
  /** the formula with the numbers of this step, ending in the value */
  readonly filled: string;
  readonly quantities: readonly Quantity[];
  readonly compared?: Compared;
};

/** How the credit of one step came about. `combine` of advantage/explain.ts gives A from the terms, to the bit. */
export type Explanation = { readonly terms: readonly Term[] };

/**
 * What an estimator makes of episodes that were each alone with their task: nothing, credit only where an episode came back
 * to the same state, or credit anyway.
 */
export type Alone = 'nothing' | 'revisits' | 'anyway';

/** What an estimator is with its settings where these say what it reads; or which of them cannot be read, and why. */
export type Made =
  | { readonly ok: true; readonly facts: Partial<Pick<Estimator, 'needs' | 'critic' | 'parts' | 'process' | 'scores'>> }
  | { readonly ok: false; readonly setting: string; readonly message: string };

/** One record is the only truth about an estimator: form, link, card, docs, tests derive from it. */
export type Estimator<S extends Settings = Settings> = ModuleForm<S> & {
  readonly source: Source;
  /** exactly the arrays `run` reads */
  readonly needs: readonly BatchField[];
  /** true if every step of a trajectory gets its outcome, compared within its task group */
  readonly comparesOutcomes?: boolean;
  /** true if the anchor groups that it compares may span tasks which play the same level */
  readonly poolsLevels?: true;
  /** groups of one episode: what it makes of them, with these settings and so many tasks; alone.test.ts tries it */
  alone(params: ValuesOf<S>, tasks: number): Alone;
  /**
   * true if a step that is compared with no other gets nothing, whatever came of its episode: so notes do. Without it, it
   * gets a part of what the episode is worth; apart.test.ts tries it
   */
  comparesStatesAlone?(params: ValuesOf<S>): boolean;
  /** true if it needs a critic (value columns) */
  readonly critic?: boolean;
  /** true if A is one of units, [B, T, K], and not one of steps that all their units share */
  readonly perUnit?: boolean;
  readonly formula: string;
  /** names of the parts, in the order in which they add up */
  readonly parts?: readonly string[];
  /** only where it needs `logpPhi`: how that process model learns */
  readonly process?: ProcessModel<ValuesOf<S>>;
  /** only where it needs `processScore`: where that comes from */
  scores?(params: ValuesOf<S>): StepScore;
  /** only where its settings say what it reads: facts in place of those above. It knows them once `prepare` is done */
  made?(params: ValuesOf<S>): Made;
  /** a setting that wastes something where observations have so many cells, and what would not */
  hint?(
    params: ValuesOf<S>,
    cells: number,
  ): { readonly setting: string; readonly message: string; readonly instead: SettingValue } | null;
  /** loads what it needs to be made, run, recorded and explained; null: it is there */
  prepare?(): Promise<void> | null;
  run(batch: Batch, params: ValuesOf<S>): Credit;
  gpu?(ops: CreditOps, params: ValuesOf<S>): GpuCredit;
  /** how A of the step with flat index `step` came about, in numbers */
  explain?(batch: Batch, params: ValuesOf<S>, step: number): Explanation;
};

/** Operations count a step as one unit: where a policy `writes` words, who needs their number is computed on the CPU. */
export const countsWords = ({ needs }: Pick<ModuleForm, 'needs'>, writes: boolean): boolean =>
  writes && needs?.includes('units') === true;

/** The estimator as its settings make it. One that cannot be read stays as it is: it is refused before anything runs. */
export function asMade(estimator: Estimator, params: AnyValues): Estimator {
  const made = estimator.made?.(params as never);
  return made?.ok ? { ...estimator, ...made.facts } : estimator;
}

/** An estimator whose `run`, `gpu` and `explain` get the types of its own settings. */
export function defineEstimator<const S extends Settings>(estimator: Estimator<S>): Estimator<S> {
  return estimator;
}

/** Everything an objective may read about one unit (one sampled action). */
export type Unit = {
  /** advantage */
  readonly A: number;
  /** Δ = log π_θ(a) − log π_old(a), not clamped */
  readonly delta: number;
  /** log π_θ(a) */
  readonly logp: number;
  /** what `survey` wrote down for this unit; 0 without a survey */
  readonly mark?: number;
};

/** Sums of squares and cubes of the probabilities of all actions, of each unit. */
export type Powers = { readonly squares: Float64Array; readonly cubes: Float64Array };

/** The units of one minibatch, as an objective with a survey sees them before it judges each one by itself. */
export type UnitSet = {
  /** advantage, Δ and log π_θ(a) of every unit */
  readonly A: Float64Array;
  readonly delta: Float64Array;
  readonly logp: Float64Array;
  /** log π_prox(a) − log π_old(a): from the policy that sampled to the one the update starts with; 0 on fresh data */
  readonly prox: Float64Array;
  /** only where the objective reads them: entropy of the policy that sampled, and how many updates ago it was the newest */
  readonly entropy?: Float64Array;
  readonly ages?: Float64Array;
  /** m(π_θ) − m(π_old), m = mean of log π over the legal actions; only where the objective says `readsMeans` */
  readonly meanChange?: Float64Array;
  /** Σ_b π_θ(b)² and Σ_b π_θ(b)³; only where the objective says `readsPowers` */
  readonly powers?: Powers;
  /** weight of every unit in the loss average, divided by the mean weight */
  readonly weight?: Float64Array;
  /** trajectory of every unit, ascending; units of one trajectory are in the order of its steps */
  readonly trajectory: Uint32Array;
  /** R of a trajectory and its task group, by the number of the trajectory */
  readonly outcome: Float32Array;
  readonly task: Uint32Array;
  /** by the number of the trajectory: where it comes from, a place in ORIGINS; absent where all are the policy's own */
  readonly origin?: Uint8Array;
  /** ‖∇ log π_θ(τ)‖² of trajectories by the parameters that the objective names in `readsScores`; only where it does */
  scoreNorms(trajectories: readonly number[]): Float64Array;
  /** a number in [0, 1) of unit u, equal on every machine */
  draw(u: number): number;
};

/** Parameters that a score is the gradient by: all of them, or those of the last layer alone, which needs no way back. */
export type ScoreLayers = 'all' | 'last';

/**
 * What a survey may ask of the optimizer step that follows, a factor on its learning rate; and what it measured and how
 * its behavior weights lie, which counts where it looked at the whole batch.
 */
export type StepControl = {
  readonly stepScale?: number;
  readonly measured?: Readonly<Partial<Record<MetricId, number>>>;
  readonly weights?: WeightHistogram;
};

/** loss ℓ and κ = ∂ℓ/∂log π_θ(a), both before the aggregation weight; `clip`: 0 none, 1 high, 2 low, 3 dual, 4 guard, 5 left out */
export type Coefficient = { loss: number; kappa: number; clip: number };

/**
 * A policy objective in coefficient form (spec objective §0). The kernel writes
 * ∂L/∂z_b = w·κ·(1[b = a] − π_b); entropy and KL add their own terms, whatever the objective.
 */
export type Objective<S extends Settings = Settings> = ModuleForm<S> & {
  readonly source: Source;
  readonly formula: string;
  /**
   * Only where a unit cannot be judged alone: looks at all units of a minibatch with the present parameters and writes
   * one number each, its mark, which `coefficient` then takes as constant. All units in `set` are real.
   */
  survey?(set: UnitSet, params: ValuesOf<S>, mark: Float64Array): StepControl | void;
  /** the same on a device, which then waits for no survey */
  marks?(params: ValuesOf<S>): DeviceMarks;
  /** what a survey measures in its marks of a whole batch alone */
  tells?(marks: Float64Array, params: ValuesOf<S>): StepControl;
  /** what of it, besides a clip, does nothing while every ratio is 1, in a word */
  readonly restsAtOne?: string;
  /** the loss average it is defined with, where that is another one than the usual */
  average?(params: ValuesOf<S>): Aggregate | null;
  /** true if it compares the returns of episodes, as the task pays them, and never reads A */
  readsReturns?(params: ValuesOf<S>): boolean;
  /** only where a clip stops gradients: what else is measured by the usual bounds is then measured by these */
  clips?(params: ValuesOf<S>): ClipBounds | null;
  /** true if its survey reads `prox`, `meanChange`, `entropy` or `ages`, or compares the members of a task group */
  readonly readsProx?: boolean;
  readonly readsMeans?: boolean;
  /** true if its survey reads `powers` and `weight` */
  readonly readsPowers?: boolean;
  readonly readsEntropy?: boolean;
  readonly readsAges?: boolean;
  readsScores?(params: ValuesOf<S>): ScoreLayers | null;
  readonly wholeGroups?: boolean;
  /** only where some settings need less: the parts that these do without */
  unused?(params: ValuesOf<S>): readonly ('survey' | 'marks' | 'readsProx' | 'readsAges')[];
  /** only where some rows of every group come from somewhere else: from where, and the setting that says how many */
  readonly rows?: { readonly origin: Origin; readonly count: string };
  /** only where the policy may not choose from all legal actions: what says from which, with the settings of the objective */
  readonly restricts?: Restriction<NoInfer<ValuesOf<S>>>;
  /** the definition; writes into `out` so that the hot path allocates nothing */
  coefficient(unit: Unit, params: ValuesOf<S>, out: Coefficient): void;
  /** `fn coefficient(A: f32, delta: f32, logp: f32, p: vec4f) -> vec3f` = (loss, κ, clip); linked into one kernel */
  readonly wgsl: string;
  /** the four numbers the WGSL function receives as `p`; with a survey the last is the place of the unit's mark */
  uniforms(params: ValuesOf<S>): readonly [number, number, number, number];
};

/** The objective as its settings make it: without the parts that they leave unused. */
export function objectiveWith(objective: Objective, params: AnyValues): Objective {
  const unused: readonly string[] = objective.unused?.(params as never) ?? [];
  // only optional parts can be named
  return Object.fromEntries(Object.entries(objective).filter(([part]) => !unused.includes(part))) as Objective;
}

/** An objective whose functions get the types of its own settings. */
export function defineObjective<const S extends Settings>(objective: Objective<S>): Objective<S> {
  return objective;
}

/**
 * An optimizer on one replica's flat parameter vector. `gradient` has already been shortened to the norm limit.
 * `m` and `v` are its two moment vectors (unused ones stay 0); `step` counts optimizer steps from 1.
 */
export type Optimizer<S extends Settings = Settings> = ModuleForm<S> & {
  readonly source: Source;
  readonly formula: string;
  step(net: Moments, step: number, learningRate: number, params: ValuesOf<S>): void;
  /**
   * Only where `step` is one that the CPU path has a kernel for, with the same bits: the numbers of that kernel. Who watches
   * steps leaves it out.
   */
  moments?(step: number, params: ValuesOf<S>): MomentStep;
  /** only where steps are as long as the learning rate: which, below what nothing happens, and a good start */
  readonly stepLength?: { readonly of: string; readonly least: number; readonly good: number };
  /** true if a step is as long as the gradient makes it */
  readonly followsSize?: boolean;
  /** true if the run is not where its steps lead, but ahead */
  readonly playsAhead?: boolean;
  /** true where every step has the same length and old gradients count nothing */
  forgets?(params: ValuesOf<S>): boolean;
  /** factor on the learning rate, and two numbers c1, c2 that depend on the step alone: the WGSL receives them */
  rates(step: number, params: ValuesOf<S>): readonly [factor: number, c1: number, c2: number];
  /** `fn optimize(theta: f32, g: f32, m: f32, v: f32, lr: f32, c1: f32, c2: f32, p: vec4f) -> vec3f` = (θ, m, v) */
  readonly wgsl: string;
  /** only where the step depends on ‖m‖: a function as above that runs first; `wgsl` then receives lr/‖m‖, 0 for m = 0 */
  readonly direction?: string;
  uniforms(params: ValuesOf<S>): readonly [number, number, number, number];
};

/** An optimizer whose functions get the types of its own settings. */
export function defineOptimizer<const S extends Settings>(optimizer: Optimizer<S>): Optimizer<S> {
  return optimizer;
}
