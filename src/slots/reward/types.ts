import type { ModuleForm } from '../../contract/module.ts';
import type { Batch, BatchField } from '../../contract/columns.ts';
import type { Potential, SignalName, StateColumn } from '../../contract/signals.ts';
import type { News } from '../../contract/tags.ts';
import type { StateSpec, Tensors } from '../../contract/state.ts';
import type { Settings, ValuesOf } from '../../core/settings.ts';
import type { Column, MapName } from '../types.ts';

/**
 * The operations that rewards on the GPU are composed of; they know no module. Every call records dispatches and returns a
 * column that stays on the device. A signal of T + 1 entries is read through `before` and `after`.
 */
export type RewardOps = {
  /** what the world paid in each step, or what the modules before this one made of it */
  readonly paid: Column;
  /** a signal with one number for each step or row */
  signal(name: SignalName): Column;
  /** per step: a signal or another column of T + 1 entries in the state before it */
  before(name: SignalName | StateColumn): Column;
  /** per step: the same in the state after it; 0 after the last step of an episode that ended by itself, unless kept */
  after(name: SignalName | StateColumn, end: 'zero' | 'keep'): Column;
  /** per step: how far a signal of T + 1 entries rises above the highest that the row had before */
  gains(name: SignalName): Column;
  /** per step: 1 up to the first step in which a signal is not 0, that step included; then 0 */
  upTo(name: SignalName): Column;
  /** per step: product of the numbers that a signal has for it */
  product(name: SignalName): Column;
  /** per step: how many of the steps that a signal names of a row are this one */
  named(name: SignalName): Column;
  /** per step: 1 where it was what its tag says */
  earnedTags(news: News): Column;
  /**
   * per row, n its steps and b its budget: of a success table[b] where n ≤ b, else table[n] − late·(n − b), with `clamp` at
   * least 0; of a failure 0. Makes the column `budgetReward`, table[b]. The table has L + 1 numbers
   */
  byBudget(table: Float32Array, late: number, clamp: boolean): Column;
  /**
   * `pay` by what a model of the module's state says, which then learns. With 0 looks at the batch the last of its labels stands
   * in its place. Makes the column `modelError`
   */
  byModel(how: ModelLearning, pay: (model: ModelSays) => Column): Column;
  /**
   * per row: (wins − losses)/(n − 1) among the n rows of its task, by the first number of a signal, in this order, in which two
   * differ by more than σ·std. Makes the columns `decidedBy` and, as nothing learns, `modelError`
   */
  netWins(name: SignalName, by: Ranking): Column;
  /**
   * per step: worth[N], N how often its row had the same message before, where the book of this name says that it is interesting.
   * Then new messages are noted, and labeled as `by` says
   */
  labeled(book: string, worth: Float32Array, by: Labeling): Column;
  /** per row: what the module says is known of the batch */
  readonly knownOfBatch: Column;
  /** L: steps of a row at most */
  readonly limit: number;
  /** per row: 1 on success; 1 where it ended by itself; or 1 − steps/L */
  ended(what: 'success' | 'terminated' | 'timeLeft'): Column;
  /** per row: a signal of T + 1 entries in its last state */
  final(name: SignalName): Column;
  /** a·x + b·y + c·x·y, element-wise; numbers per row count for all of its steps; c is 0 unless given */
  combine(a: number, x: Column, b: number, y: Column, c?: number): Column;
  /** 1 where |x| ≥ least, else 0; per row */
  threshold(x: Column, least: number): Column;
  /** f(a·x + b); a is 1 and b 0 unless given */
  map(f: MapName, x: Column, a?: number, b?: number): Column;
  /** per step: Σ_{k≥t} γ^{k−t} x_k over the real steps of its row */
  returnsToGo(x: Column, gamma: number): Column;
  /** per row → every real step */
  broadcast(x: Column): Column;
  /** per row: mean of x over its real steps */
  meanOfRow(x: Column): Column;
  /** per step: x of the row in its last step, 0 before */
  atEnd(x: Column): Column;
  /**
   * Counts the states that the steps led to in a table of the module's state, all of the batch before any is read. Per step
   * N to a power, N how often that state was counted so far; 0 where the table had no place for it.
   */
  counted(table: string, exponent: number): Column;
};

/** How many messages without a label get one by whether a milestone came with them, each a wrong one with the chance `flip`. */
export type Labeling = { readonly answers: number; readonly flip: number };

/**
 * What a model of rewards learns by which signals, its rate, and its optimizer steps on each batch. `states`: how far they come
 * by the steps that reached milestones and the share of all that were reached; `steps`, with their actions: what they add up to;
 * `rows`, by the mean of their states: which wins, as `netWins` says.
 */
export type ModelLearning = {
  readonly learns: 'states' | 'steps' | 'rows';
  /** only of rows: the order of what decides, and σ */
  readonly ranking?: Ranking;
  readonly labels: readonly SignalName[];
  readonly rate: number;
  readonly looks: number;
};
export type Ranking = { readonly order: readonly [number, number, number]; readonly sigma: number };
/** What it says per step, in the state before it; and in the one after, 0 where the episode ended by itself; or `row`, of each row where it learns `rows`. */
export type ModelSays = { before(): Column; after(): Column; row(): Column };

/** One record is the only truth about a reward module. Spec methods/reward §0. */
export type RewardModule<S extends Settings = Settings> = ModuleForm<S> & {
  /** `additive`: `out` is added to the reward; `replacing`: it stands in its place. At most one replaces, and it runs first */
  readonly kind: 'additive' | 'replacing';
  readonly needs: readonly BatchField[];
  readonly formula: string;
  /** only where it pays for something else than the task: what an agent has to do then, in one sentence */
  readonly goal?: string;
  /** how far a state covers, where the module needs what was covered */
  coverRadius?(params: ValuesOf<S>): number;
  /** what the signal `phi` holds, where it is needed */
  potential?(params: ValuesOf<S>): Potential;
  /** what it remembers between updates, or what with these settings */
  readonly state?: StateSpec | { of(params: ValuesOf<S>): StateSpec }['of'];
  /**
   * Only where what it adds depends on nothing but Φ before and after a step and whether the episode ended by itself: that
   * function, or null where it is not so with these settings. Then the world as it is paid has exact values, too.
   */
  transition?(params: ValuesOf<S>): ((from: number, to: number, isOver: boolean) => number) | null;
  /** most that a step can earn by its settings where a row has L steps, for the warning about magnitudes; absent: nothing can be farmed */
  mostPerStep?(params: ValuesOf<S>, L: number): number;
  /**
   * The definition. `reward` and `outcome` of the batch are those of the module before it, or what the world paid. `out`: [B, T] zeros to write into; `memory`: the module's tensors of this replica.
   */
  run(batch: Batch, params: ValuesOf<S>, out: Float32Array, memory: Tensors): void;
  /** only where `gpu` reads it: makes a memory that was never used what `run` makes it before it pays */
  begin?(memory: Tensors, params: ValuesOf<S>): void;
  /** only where `gpu` reads it: a number of each batch that the CPU knows from the memory alone, where it counts the batch */
  known?(memory: Tensors, params: ValuesOf<S>): number;
  /** only with a memory: makes it what it was before this batch */
  forget?(batch: Batch, memory: Tensors): void;
  /** the same on the GPU, with an operation that fills what it makes */
  gpu?(ops: RewardOps, params: ValuesOf<S>): Column;
};

/** A reward module whose `run` and `gpu` get the types of its own settings. */
export function defineReward<const S extends Settings>(module: RewardModule<S>): RewardModule<S> {
  return { metrics: ['shapedReturn'], ...module };
}
