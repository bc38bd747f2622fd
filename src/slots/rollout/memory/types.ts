import type { Batch } from '../../../contract/columns.ts';
import type { StateSpec, Tensors } from '../../../contract/state.ts';
import type { ReceivedGroup, SharedGroup } from '../../../contract/peers.ts';
import type { Origin } from '../../../contract/rows.ts';
import type { LevelName } from '../../../contract/tasks.ts';
import type { AnyValues } from '../../../core/settings.ts';
import type { Environment } from '../../../envs/types.ts';

/**
 * Episodes that come back. A rollout may remember episodes or tasks between updates, and let three things be done with them:
 *
 *   again     stored episodes train beside the batch: their actions are played again, so that what the policy saw is right, and
 *             their stored log π_old is what the ratio divides by
 *   imitate   one step of its own raises log π of given actions
 *   report    it learns from the finished batch
 *
 * The batch itself never notices: its rows, draws, group statistics and averages are those of a run without. What is played
 * again costs no step of the world.
 */

/** Where an episode that comes back is from: the update of its batch, or in which it came; of another run, who told of it. */
export type Came = { readonly origin: Origin; readonly update?: number; readonly sender?: number };

/** One episode to be played again. */
export type Replay = {
  /** its level, and the seed of its chance */
  readonly name: LevelName;
  readonly episodeSeed: number;
  /** the saved state of its level that it begins in; absent: the start of the level */
  readonly begins?: ArrayLike<number> | undefined;
  readonly actions: ArrayLike<number>;
  /** log π_old of its units, K for each step; absent: what the policy gives them now */
  readonly logp?: ArrayLike<number>;
  /** advantage of all of its steps */
  readonly advantage: number;
  /** of a step that imitates: how much each of its steps counts, below 0 against it; absent: all alike */
  readonly weights?: ArrayLike<number>;
  /** of a step that imitates: the actions that it is about, in the states that `actions` lead through; absent: these */
  readonly chosen?: ArrayLike<number>;
  /** what it earned; an episode that earns something else when it is played again is left out */
  readonly outcome?: number;
  /** for people alone */
  readonly came: Came;
};

/**
 * An episode as the policy sees it today: [steps + 1, words of an observation] bits, the one after the last step included, and
 * [steps, actions] π(·|o).
 */
export type Reread = { readonly replay: Replay; readonly obs: Uint32Array; readonly probs: Float32Array };

/** What a memory knows of its replica. */
export type MemoryContext = {
  readonly seed: number;
  readonly update: number;
  readonly P: number;
  readonly G: number;
  readonly B: number;
  readonly T: number;
  /** units of a step at most */
  readonly K: number;
  readonly actions: number;
  /** true: observations are words, one token a byte, and actions are written */
  readonly writes: boolean;
  readonly env: Environment;
  level(name: LevelName): object;
  /** π(·|s) of the policy that trains, in a state of a level; overwritten by the next question */
  probs(level: object, state: Uint32Array): ArrayLike<number>;
  /** only while an update settles: episodes read again with the weights as they are; none that comes out otherwise than stored */
  reread(replays: readonly Replay[]): readonly Reread[];
  /** charges steps that a search has taken in the world */
  spend(steps: number): void;
  /** other runs of the same task, where they are heard in this update; null: nobody is */
  readonly peers: PeerContext | null;
  /** uniform in [0, 1): draw n of this update, which nothing else sees */
  draw(n: number): number;
};

/** What is known where states are written into. */
export type ShowContext = Pick<MemoryContext, 'env' | 'actions' | 'draw'>;

/** A step of an episode before it is observed: row of its replica, what its level was made from, its state. */
export type Shown = {
  row: number;
  name: LevelName;
  level: object;
  state: Uint32Array;
  at: number;
};

/** Other runs: what they have told, and what they are told. */
export type PeerContext = {
  readonly received: readonly ReceivedGroup[];
  /**
   * Which rows of a group are what they say: each is played in the world, as its level, its chance and its actions say. None
   * where the level is one that is held out.
   */
  check(group: ReceivedGroup): readonly boolean[];
  /** A sender said something of a row that is not so. */
  refuse(sender: number): void;
  share(group: SharedGroup): void;
};

/** A finished update: its batch as the world paid it, with the credit that trained. */
export type Finished = {
  readonly batch: Batch;
  /** [B, T] */
  readonly A: Float32Array;
  /** [B, T, K] log π_old of every unit */
  readonly logp: Float32Array;
  name(row: number): LevelName;
  /** the saved state that an episode began in; null: the start of its level */
  begins(row: number): Uint32Array | null;
  episodeSeed(row: number): number;
};

/** Numbers of an update by the id of their metric. */
export type Measured = Readonly<Record<string, number>>;

/** What a rollout does with what it remembers; its tensors are those of one replica, and are changed in place. */
export type RolloutMemory<P = AnyValues> = {
  /**
   * Episodes that train beside the batch of this update; their mean loss counts `weight` times, and that of the batch `own`
   * times, once where it is not said. `peers`: they are those of others.
   */
  again?(
    memory: Tensors,
    context: MemoryContext,
    params: P,
  ): {
    readonly replays: readonly Replay[];
    readonly weight: number;
    readonly own?: number;
    readonly peers?: true;
    readonly measured?: Measured;
  };
  /**
   * What it writes into the states of a batch that is played, or of an evaluation, before they are observed: words that the
   * world keeps free (see `Environment.recalls`). Null: nothing. What it writes depends on nothing but the step and the memory
   * as it is, so that any core can write it; only a finished update changes the memory.
   */
  shows?(memory: Tensors, context: ShowContext, params: P, isTraining: boolean): ((step: Shown) => void) | null;
  /** The update is over. */
  report?(memory: Tensors, finished: Finished, context: MemoryContext, params: P): Measured;
  /** Then: episodes whose actions one step imitates, or several, with `imitated` of them each; `turn`: how often it was asked. */
  imitate?(memory: Tensors, context: MemoryContext, params: P, turn?: number): readonly Replay[];
  /** how much the mean loss of the batch counts where nothing trains beside it: 0 where it is only stored; 1 if not said */
  own?(params: P): number;
  /** how often it is asked in an update, each time with the weights that the last steps left; once where it is not said */
  turns?(params: P): number;
  /** Asked before these steps: weights that they begin with, where they are not to be those of the run; null: they are. */
  restart?(memory: Tensors, lessons: readonly Replay[]): Float32Array | null;
  /** learning rate of these steps in multiples of that of the run; 1 where it is not said */
  imitationRate?(params: P): number;
};

/** Rows of stored episodes that a run plays beside its batch at most, and that one step imitates; 0: none. */
export type Beside = { readonly again: number; readonly imitated: number };

/** Moments of the steps that imitate, apart from those of the optimizer, and how many were taken. */
export const IMITATION = {
  m: { type: 'f32', per: 'parameter', onFork: 'keep' },
  v: { type: 'f32', per: 'parameter', onFork: 'keep' },
  steps: { type: 'u32', per: 'replica', onFork: 'keep' },
} as const satisfies StateSpec;

/** The setting of `imitationRate`. */
export const imitationRate = {
  kind: 'number',
  label: 'Rate of imitation',
  default: 1,
  min: 0,
  max: 100,
  doc: 'Learning rate of the imitation step, in multiples of that of the run.',
} as const;
