import type { ModuleForm } from '../../contract/module.ts';
import type { StateSpec, Tensors } from '../../contract/state.ts';
import type { Settings, ValuesOf } from '../../core/settings.ts';

/** One task of a batch: what its group of episodes plays. */
export type Task = {
  /** says everything about the level, its stage included */
  readonly levelSeed: number;
  /** where its episodes begin: at the start of the level */
  readonly start: 'initial';
  /** step limit below that of the level, or 0: that of the level itself */
  readonly maxSteps: number;
  /** episodes of its group */
  readonly tries: number;
  /** the source's own name for it, handed back with the outcome */
  readonly tag?: number;
};

/** What a source is told when it decides on the tasks of one replica in one update. */
export type TaskContext = {
  /** seed of the replica, and the update whose batch these tasks are */
  readonly seed: number;
  readonly update: number;
  /** tasks of a batch, and episodes of each */
  readonly P: number;
  readonly G: number;
  /** different levels that training draws from; 0: as many as there are seeds */
  readonly levels: number;
  /** level seed of one of these levels, at the stage that the task has grown to */
  level(which: number): number;
  /** level seed of a level that was never played before, at that stage: one for each p < P */
  fresh(p: number): number;
  /** the same level seed at that stage */
  grown(levelSeed: number): number;
  /** one of the `levels` levels, each as likely: task p's */
  pick(p: number): number;
  /** uniform in [0, 1): draw n of task p in this update; each (p, n) always gives the same number */
  draw(p: number, n: number): number;
};

/** How the episodes of a task went; the credit of an update is known by then. */
export type TaskOutcome = {
  readonly task: Task;
  /** episodes that count: those of the policy itself */
  readonly tries: number;
  /** share of them that reached the goal */
  readonly success: number;
  /** mean and standard deviation (over n) of their returns */
  readonly returnMean: number;
  readonly returnSpread: number;
  /** mean |A| over their steps, as the objective sees A; NaN unless the source `asks` for it */
  readonly creditSize: number;
  /** mean |target − V| over their steps: the error of the critic; NaN unless the source `asks` for it, and without a critic */
  readonly valueError: number;
};

/** Numbers of a `TaskOutcome` in the order in which an update reports them. */
export const OUTCOME = ['tries', 'success', 'returnMean', 'returnSpread', 'creditSize', 'valueError'] as const;

/** What a source remembers of one replica, by the names that it gave. */
export type SourceState = Tensors;

/**
 * Which levels a run plays, from where, for how long and how often: decided once for every update, each replica for itself.
 * Evaluations do not ask it: they always play the whole task.
 */
export type TaskSource<S extends Settings = Settings> = Omit<ModuleForm<S>, 'needs' | 'makes' | 'gpu' | 'onGpu'> & {
  /**
   * True if the next tasks depend on how the last ones went. Then no update is begun before the one before it is over, on
   * WebGPU too, and `report` is called after every update. Only such a source may have a state.
   */
  readonly wantsOutcomes?: boolean;
  /** which of the outcomes it reads that cost a look at every step; on WebGPU these columns come back after each update */
  asks?(params: ValuesOf<S>): readonly ('creditSize' | 'valueError')[];
  /** what these settings do in vain with groups of so many episodes, in a sentence without its subject; null: nothing */
  warns?(params: ValuesOf<S>, groupSize: number): string | null;
  /**
   * What it remembers where so many levels train (0: as many as there are seeds), each `per` replica. With `onFork: ['tasks']`
   * it begins anew in a fork that changes the task or a setting of `forgetsWith`.
   */
  state?(params: ValuesOf<S>, levels: number): StateSpec;
  /** settings that say what the state means */
  readonly forgetsWith?: readonly (keyof S & string)[];
  /** At most P tasks whose tries add up to P·G. Changes nothing. */
  next(state: SourceState, context: TaskContext, params: ValuesOf<S>): readonly Task[];
  /** Learns from the outcomes of the tasks of the context's update: changes the state in place. */
  report?(state: SourceState, outcomes: readonly TaskOutcome[], context: TaskContext, params: ValuesOf<S>): void;
  /** Numbers of an update by the id of their metric, from what was known before its outcomes. */
  measure?(state: SourceState, tasks: readonly Task[], params: ValuesOf<S>): Readonly<Record<string, number>>;
};

/** A source whose functions get the types of its own settings. */
export function defineTaskSource<const S extends Settings>(source: TaskSource<S>): TaskSource<S> {
  return source;
}
