import type { Task, TaskContext, TaskOutcome } from '../../contract/tasks.ts';
import type { Environment } from '../../envs/types.ts';
import type { ModuleForm } from '../../contract/module.ts';
import type { StateSpec, Tensors } from '../../contract/state.ts';
import type { Settings, SettingValue, ValuesOf } from '../../core/settings.ts';

/** The world that tasks are played in, for sources that save states of it. */
export type SourceWorld = {
  /** behind its wrappers: states of this world can be starts */
  readonly env: Environment;
  /** step limit of the experiment, how many updates it has, and the discount that its critic is trained with */
  readonly T: number;
  readonly updates: number;
  readonly gamma?: number;
  /** parsed level of a level seed, the same object while it is kept */
  level(levelSeed: number): object;
};

/** What a source is told, by the engine always with the world. */
export type SourceContext = TaskContext & { readonly world?: SourceWorld };

/** The tasks of a batch, and the step limit of the experiment. */
export type TaskBatch = { readonly tasks: readonly Task[]; readonly T: number };

/** What warnings may ask about the levels of an experiment. */
export type LevelAsked = {
  /** step limit */
  readonly T: number;
  /** different levels that train; 0: no end of them */
  readonly levels: number;
  /** fewest steps to success in the easiest of some levels; null: not known */
  shortest(): number | null;
};

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
  /** true if tasks of one batch may have different numbers of tries: then kernels look for the rows of a task everywhere */
  readonly unequal?: boolean;
  /** true if its tasks may begin in saved states: then the device keeps room for them */
  readonly starts?: boolean;
  /** true if it needs a task that grows in stages, and decides on them */
  readonly grows?: boolean;
  /** true if it needs a ladder: levels in families with a table of difficulty */
  readonly climbs?: boolean;
  /** which of the outcomes it reads that cost a look at every step; on WebGPU these columns come back after each update */
  asks?(params: ValuesOf<S>): readonly ('creditSize' | 'valueError' | 'startValue' | 'passed' | 'reached' | 'ahead')[];
  /**
   * Levels of which it wants to know, where it `asks` for 'ahead', what the critic thinks of their start before they are
   * played: P of them, of the update of the context. It is told at the end of the update before, with the weights that this
   * one begins with.
   */
  ahead?(context: SourceContext, params: ValuesOf<S>): readonly number[];
  /** what these settings do in vain with groups of this size, in a sentence without its subject; null: nothing */
  warns?(params: ValuesOf<S>, groupSize: number, level: LevelAsked): string | null;
  /** a setting that cannot be as it is, why, and what could stand there; null: all can */
  refuses?(
    params: ValuesOf<S>,
  ): { readonly setting: keyof S & string; readonly message: string; readonly instead: SettingValue } | null;
  /**
   * What it remembers where so many levels train (0: as many as there are seeds) and states have so many words, each `per` replica. With `onFork: ['tasks']`
   * it starts over in a fork that changes the task or a setting of `forgetsWith`.
   */
  state?(params: ValuesOf<S>, levels: number, words: number): StateSpec;
  /** settings that say what the state means */
  readonly forgetsWith?: readonly (keyof S & string)[];
  /** P tasks whose tries add up to P·G: G each, unless they are `unequal`. Changes nothing. */
  next(state: SourceState, context: SourceContext, params: ValuesOf<S>): readonly Task[];
  /**
   * Learns from the outcomes of the tasks of the context's update: changes the state in place. `ahead`: V at the start of each
   * level that it asked about for the next update; empty where it did not ask, and without a critic.
   */
  report?(
    state: SourceState,
    outcomes: readonly TaskOutcome[],
    context: SourceContext,
    params: ValuesOf<S>,
    ahead?: ArrayLike<number>,
  ): void;
  /** Numbers of an update by the id of their metric, from what was known before its outcomes. */
  measure?(state: SourceState, batch: TaskBatch, params: ValuesOf<S>): Readonly<Record<string, number>>;
};

/** A source whose functions get the types of its own settings. */
export function defineTaskSource<const S extends Settings>(source: TaskSource<S>): TaskSource<S> {
  return source;
}
