import type { Columns, TaskField } from '../../contract/columns.ts';
import type { ModuleForm } from '../../contract/module.ts';
import type { RowPlan } from '../../contract/rows.ts';
import type { StateSpec, Tensors } from '../../contract/state.ts';
import type { LevelName } from '../../contract/tasks.ts';
import type { AnyValues, Settings, SettingValue, ValuesOf } from '../../core/settings.ts';
import type { Environment } from '../../envs/types.ts';
import type { Wrapper } from '../wrapper/types.ts';
import type { MetricId } from '../metrics/metrics.ts';
import type { Beside, RolloutMemory } from './memory/types.ts';

/** What a scheme knows of one replica before and between its phases. */
export type RowContext = {
  readonly env: Environment;
  readonly update: number;
  /** rows of all phases together, step limit, nominal group size, number of actions */
  readonly B: number;
  readonly T: number;
  /** tasks of a batch */
  readonly P: number;
  readonly G: number;
  readonly actions: number;
  /** group of each row that the task source gave */
  readonly tasks: ArrayLike<number>;
  /** what its module remembers, of this replica; it is only read. Null on a device, where no rollout has a memory */
  readonly memory: Tensors | null;
  /** what a row is played with, where it has been planned; the name says what its level was made from */
  name(row: number): LevelName;
  level(row: number): object;
  episodeSeed(row: number): number;
  /** the saved state that it begins in; null: the start of its level */
  begins(row: number): Uint32Array | null;
  /** uniform in [0, 1): draw n of a row in this update */
  draw(row: number, n: number): number;
};

/** Columns that a scheme may look at. */
export type RowField =
  | ('length' | 'taskIndex' | 'outcome' | 'success' | 'terminated' | 'finalStateKey')
  | ('action' | 'legal' | 'reward' | 'stateKey' | 'state' | 'logp' | 'entropy' | 'value');

/** What the rows so far look like: columns of this replica; 0 for rows that are not planned yet. */
export type RowsSeen<N extends RowField = RowField> = {
  /** rows planned so far */
  readonly count: number;
  /**
   * Only of rounds that ask for it: the largest |A| of the steps of each row, as the estimator gives it for what the world
   * paid, before rewards are shaped or credit is revised.
   */
  readonly creditSize?: Float32Array;
} & Pick<Columns, N>;

/**
 * Row of a further round: the group that it is played in, and where its level is new, which of the fresh tasks it is; or where
 * it is that of the group, the hint that it is given, from 1 (see `Help`).
 */
export type RoundRow = { readonly task: number; readonly fresh?: number; readonly hint?: number };

/**
 * Row `from` of a further round takes the place of row `row` of the batch, as a row of group `task`. `isBare`: it trains on what
 * it would have seen without its hint.
 */
export type Taken = { readonly row: number; readonly from: number; readonly task: number; readonly isBare?: boolean };

/**
 * What becomes of a row in the end. One that neither trains nor is measured is no part of the batch any more: it is in no
 * statistics of its group either.
 */
export type RowMark = { readonly trains: boolean; readonly measured: boolean };
/** A step at which a scheme could have forked a row, for people: what it found, and the row that it made; −1 for none. */
export type ForkDecision = {
  readonly row: number;
  readonly t: number;
  /** entropy above that of the start, as a share of the largest possible one */
  readonly delta: number;
  /** of a fork */
  readonly probability: number;
  readonly forks: boolean;
  readonly child: number;
  /** why the step could fork, in a word or two: “a junction” */
  readonly reason: string;
};

/**
 * How the episodes of a task become a tree, where a device can decide it by itself: the rule of `arpo/branching.ts`. `starts` 0:
 * by a probe, with the slope `balance`. `eligible`: steps that may fork, see `arpo/eligible.ts`.
 */
export type Growth = {
  readonly starts: number;
  readonly balance: number;
  readonly eligible: 'all' | 'newState' | 'junction';
  readonly mode: 'threshold' | 'sample';
  readonly alpha: number;
  readonly beta: number;
  readonly penalty: number;
  readonly tau: number;
  readonly beam: number;
  readonly scope: 'path' | 'task';
  readonly forkPoint: 'before' | 'after';
};

/**
 * Which rows a batch has, in phases: all rows of a phase are played in lockstep, then the next phase looks at them and adds
 * rows. A row with a parent takes over its prefix and goes on from its stored state; the parent never notices, so forks
 * that are decided after a phase equal forks that are decided on the way.
 */
export type RolloutScheme = {
  readonly id: string;
  /** columns that `next` looks at */
  readonly needs?: readonly RowField[];
  /** true if its rounds look at credit */
  readonly asksCredit?: boolean;
  /** rows of a replica beyond those of its task source; none where it is not said */
  readonly spare?: number;
  /** true if rows may go on from others: their parents and first own steps are columns */
  readonly forks?: boolean;
  /** the rows of the task source, in their order; where it is missing, all are the policy's own */
  first?(context: RowContext): readonly RowPlan[];
  /** the rows of the next phase; asked until the batch is full */
  next?(seen: RowsSeen, context: RowContext): readonly RowPlan[];
  /** the same for a device, in whose phases nobody waits; absent: only `next` tells */
  readonly growth?: Growth;
  /**
   * Rows of round 1, 2, … once the batch is full, at most as many as a batch has; none: it stays as it is. They are played
   * beside the batch, with draws of their own, and their steps are charged whatever becomes of them. Fresh task n ≥ 0 is one
   * that no earlier round has played, drawn as the tasks of a batch are.
   */
  round?(seen: RowsSeen, context: RowContext, round: number): readonly RoundRow[];
  /** which rows of a round take the places of others; those are dropped */
  take?(seen: RowsSeen, played: RowsSeen, context: RowContext, round: number): readonly Taken[];
  /** a mark for every row of the finished batch; where no row of it trains, the update changes nothing */
  settle?(seen: RowsSeen, context: RowContext): readonly RowMark[];
  /** all decisions of a full batch */
  why?(seen: RowsSeen, context: RowContext): readonly ForkDecision[];
};

/** A module of the slot: a scheme with settings. One without `first` and `next` samples every row from the start. */
export type Rollout<S extends Settings = Settings, N extends RowField = RowField> = Omit<
  ModuleForm<S>,
  'needs' | 'makes' | 'gpu' | 'state'
> & {
  readonly needs?: readonly N[];
  /** further columns that it looks at with these settings */
  needsAlso?(params: ValuesOf<S>): readonly RowField[];
  /** of one with rounds: true if they look at credit, of an estimator that reads nothing but what is played */
  asksCredit?(params: ValuesOf<S>): boolean;
  readonly forks?: boolean;
  /** what a wrapper has to deal or to give for it */
  readonly wants?: Wrapper['deals'] | Wrapper['gives'];
  /** rows of each task that its source gives, of the G that a group has; the phases after the first add the others */
  fresh?(params: ValuesOf<S>, groupSize: number): number;
  first?(context: RowContext, params: ValuesOf<S>): readonly RowPlan[];
  next?(seen: RowsSeen<N>, context: RowContext, params: ValuesOf<S>): readonly RowPlan[];
  /** what `next` does, for a device; null: it does not know these settings */
  growth?(params: ValuesOf<S>, groupSize: number): Growth | null;
  /** of one that forks: the decisions of a full batch, each with what led to it */
  why?(seen: RowsSeen<N>, context: RowContext, params: ValuesOf<S>): readonly ForkDecision[];
  /** what it remembers between updates */
  readonly state?: StateSpec | { of(params: ValuesOf<S>): StateSpec }['of'];
  /** only with a memory: rows that are played beside a batch because of it */
  beside?(params: ValuesOf<S>, sizes: { readonly P: number; readonly G: number }): Beside;
  /** what it does with its memory; loaded where a run trains */
  memory?(): Promise<RolloutMemory<ValuesOf<S>>>;
  round?(seen: RowsSeen<N>, context: RowContext, params: ValuesOf<S>, round: number): readonly RoundRow[];
  take?(
    seen: RowsSeen<N>,
    played: RowsSeen<N>,
    context: RowContext,
    params: ValuesOf<S>,
    round: number,
  ): readonly Taken[];
  settle?(seen: RowsSeen<N>, context: RowContext, params: ValuesOf<S>): readonly RowMark[];
  /** what it plays beyond the rows of a batch, in a sentence without its subject: all of it is charged; null: nothing */
  charges?(params: ValuesOf<S>): string | null;
  /** environment steps of an update at most, as a mean over a run; absent: those of a batch of full-length episodes */
  mostSteps?(params: ValuesOf<S>, sizes: Pick<BatchSizes, 'P' | 'G' | 'T'>): number;
  /** what these settings do in vain or at a price in an experiment (`decides`: what actions of the task decide), in a sentence without its subject; null: nothing */
  warns?(params: ValuesOf<S>, sizes: BatchSizes & { readonly decides: readonly string[] }): string | null;
};

/** What a module may warn about: sizes of a batch, step limit, different levels of the task (0: no end of them). */
export type BatchSizes = Readonly<Record<'P' | 'G' | 'T' | 'levels', number>>;

/** A module whose functions get the types of its own settings, and the columns that it needs. */
export function defineRollout<const S extends Settings, const N extends RowField = never>(
  rollout: Rollout<S, N>,
): Rollout<S> {
  return rollout as unknown as Rollout<S>; // the engine gives it the columns that it names
}

type Hooks = Pick<Rollout, 'first' | 'next' | 'round' | 'settle'>;

/** False for a module that samples every row from the start. */
export const hasScheme = ({ first, next, round, settle }: Hooks): boolean =>
  [first, next, round, settle].some((hook) => hook !== undefined);

/** True for one whose batches are played and marked in ways that only the CPU path knows. */
export const isCpuOnly = ({ round, settle }: Pick<RolloutScheme | Rollout, 'round' | 'settle'>): boolean =>
  round !== undefined || settle !== undefined;

/** Episodes of a batch that are independent of each other at least: a root and its forks are one cluster, which counts once. */
export const clustersIn = (
  { forks, fresh }: Pick<Rollout, 'forks' | 'fresh'>,
  params: AnyValues,
  { P, G }: { readonly P: number; readonly G: number },
): number => P * (forks ? Math.min(G, fresh?.(params as never, G) ?? G) : G);

/** The scheme of a module with its settings, for batches of P groups of G; null: every row is a fresh one of the policy. */
export function schemeWith(
  rollout: Rollout,
  params: AnyValues,
  { P, G }: { readonly P: number; readonly G: number },
): RolloutScheme | null {
  if (!hasScheme(rollout)) return null;
  const { id, forks, fresh, first, next, growth, round, take, settle, why } = rollout;
  const needs = [...(rollout.needs ?? []), ...(rollout.needsAlso?.(params as never) ?? [])];
  const own = params as never; // the module gets the settings that it declares
  const grows = growth?.(own, G);
  return {
    id,
    ...(needs.length > 0 ? { needs } : {}),
    ...(forks ? { forks } : {}),
    ...(rollout.asksCredit?.(own) ? { asksCredit: true } : {}),
    spare: P * (G - (fresh?.(own, G) ?? G)),
    ...(first ? { first: (context) => first(context, own) } : {}),
    ...(next ? { next: (seen, context) => next(seen, context, own) } : {}),
    ...(grows ? { growth: grows } : {}),
    ...(round ? { round: (seen, context, n) => round(seen, context, own, n) } : {}),
    ...(take ? { take: (seen, played, context, n) => take(seen, played, context, own, n) } : {}),
    ...(settle ? { settle: (seen, context) => settle(seen, context, own) } : {}),
    ...(why ? { why: (seen, context) => why(seen, context, own) } : {}),
  };
}

/**
 * Episodes that are played beside a batch, one for every task, because a module needs a column that only they give. They
 * train nothing and are not measured; their steps are charged.
 */
export type SideEpisodes = {
  readonly id: string;
  /** the column per task that their returns fill */
  readonly makes: TaskField;
  /** the policy's logits are divided by it */
  readonly temperature: number;
};

/** The side episodes that a module with these needs gets; null: it asks for none. */
export const sideOf = (list: readonly SideEpisodes[], needs: readonly string[]): SideEpisodes | null =>
  list.find(({ makes }) => needs.includes(makes)) ?? null;

/**
 * Which of the legal actions the policy may choose from, by the probabilities that another policy gives them: one like that
 * of the run, with weights of its own. What is kept of a step takes the place of its legal bits.
 */
export type Restriction<P = AnyValues> = {
  readonly id: string;
  /** what it remembers, one tensor of all parameters: the weights of the other policy */
  readonly weights: string;
  readonly state: StateSpec;
  /** the metric that shows the share of the legal actions that were removed */
  readonly metric: MetricId;
  /** true if the weights become those of the policy when this update begins */
  isRenewed(update: number, params: P): boolean;
  /** false: training sees all legal actions */
  inTraining(params: P): boolean;
  /** bits of the actions that stay, by their probabilities p[at … at + count), 0 of those that are not legal */
  kept(p: ArrayLike<number>, at: number, count: number, params: P): number;
  /** `fn keptActions(actions : u32, rule : vec4f) -> u32`, the same over `p`, and the four numbers that it receives */
  readonly wgsl: string;
  uniforms(params: P): readonly [number, number, number, number];
};

/** A restriction whose functions get the types of its own settings. */
export function defineRestriction<const S extends Settings>(
  restriction: Restriction<ValuesOf<S>> & { readonly params: S },
): Restriction<ValuesOf<S>> & { readonly params: S } {
  return restriction;
}

/** Which versions of the weights play, for a run with its settings. Version v is θ after v updates. */
export type Versions = {
  /**
   * The version that plays step t < T of task group `task` in an update of the replica with this seed: a pure function, at
   * most `staleness` updates old, and never older than at t − 1.
   */
  at(seed: number, update: number, task: number, t: number, T: number): number;
  /** the metrics of its record, for a batch of B episodes; one with a clock is asked once the batch was played */
  measure?(batch: BatchAt): Readonly<Partial<Record<MetricId, number>>>;
  /** where versions depend on how long episodes were; only the CPU path tells */
  readonly clock?: VersionClock;
};

/** A clock that has to be told how long episodes were. Its numbers are part of the state of a run. */
export type VersionClock = {
  /** numbers of a replica that it remembers between updates; all 0 at first */
  readonly size: number;
  /** an update begins: `at` may be asked about it */
  begin(seed: number, update: number, state: Float64Array): void;
  /** the batch was played: steps of the longest episode of each task group, as shares of T; writes the next state */
  settle(seed: number, update: number, longest: ArrayLike<number>, into: Float64Array): void;
};

/** A batch of the replica with this seed, and its episodes. */
export type BatchAt = { readonly seed: number; readonly update: number; readonly B: number };

/**
 * A rule that says which versions of the weights play a batch; a choice of the setting _Ages_. The engine keeps the last
 * k + 1 versions, k the staleness that was set, lets them take turns, and measures how old the data is.
 */
export type VersionRule = {
  /** name of the file and of the export; stands in links, never reused or renamed */
  readonly id: string;
  /** its name in the form */
  readonly title: string;
  /** its own settings, shown where it is chosen; their names stand beside those of all rollouts */
  readonly params: Settings;
  /** true if a batch is always played by one version */
  readonly playsOne?: boolean;
  /** metrics that exist only with it, by id: then it measures something at staleness 0, too */
  readonly metrics?: readonly MetricId[];
  /** a setting of the rollout that wastes something, and what would not */
  hint?(
    rollout: AnyValues,
  ): { readonly setting: string; readonly message: string; readonly instead: SettingValue } | null;
  /** numbers of its clock, with these settings; 0 or absent: it has none, so batches can be played on WebGPU, too */
  clockSize?(rollout: AnyValues): number;
  /** settings that it cannot work with: which, why, and what would do */
  refuses?(
    rollout: AnyValues,
  ): { readonly setting: string; readonly message: string; readonly instead: SettingValue } | null;
  /** asked once for a run, with all settings of its rollout */
  versions(rollout: AnyValues): Versions;
};

/** Marks the record for the build: the page does not ask for its versions. */
export function defineVersionRule(rule: VersionRule): VersionRule {
  return rule;
}
