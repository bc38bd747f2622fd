/**
 * A saved state of a level: the words of the world as the agent meets it. Its last word is the clock, which says how many
 * steps are used up already, so that an episode has as many left as one that came here from the start.
 */
export type SavedState = readonly number[];

/** Where episodes begin: at the start of the level, or in a saved state. */
export type Start = 'initial' | SavedState;

/** Steps of the step limit that a start has used up. */
export const usedSteps = (start: Start): number => (start === 'initial' ? 0 : start.at(-1)! & 0xffff);

/** One task of a batch: what its group of episodes plays. */
export type Task = {
  /** says everything about the level, its stage included */
  readonly levelSeed: number;
  /** where its episodes begin; groups of one level with different starts or step limits are different tasks */
  readonly start: Start;
  /** step limit below that of the level, or 0: that of the level itself; steps that a start has used up count */
  readonly maxSteps: number;
  /** episodes of its group */
  readonly tries: number;
  /** the source's own name for it, handed back with the outcome */
  readonly tag?: number;
  /** share of successes that the source expects, for people; absent: it does not know */
  readonly expected?: number;
};

/** What a level of a batch is made from: enough to make it again. `variant`: see `Deal`. */
export type LevelName = Pick<Task, 'levelSeed' | 'maxSteps'> & { readonly variant: number };

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
  /** stages that the task grows through, and updates that its own schedule spends in each but the last */
  readonly stages: number;
  readonly growEvery: number;
  /** the same level seed at any stage */
  staged(levelSeed: number, stage: number): number;
  /** rows in the table of difficulty of each family, where the levels of the task are in families; else empty */
  readonly rungs: readonly number[];
  /** the level of a family at a row of its table that this level seed names */
  at(levelSeed: number, family: number, row: number): number;
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
  /** mean V of the critic before their first steps; NaN or absent unless the source `asks` for it, and without a critic */
  readonly startValue?: number;
  /** a state that one of them passed on the way, if the source `asks` for it; absent where none took a step and went on */
  readonly passed?: SavedState;
  /** how many of them passed each checkpoint of the level, success last, if the source `asks` for it */
  readonly reached?: readonly number[];
};

/** Numbers of a `TaskOutcome` in the order in which an update reports them. */
export const OUTCOME = [
  'tries',
  'success',
  'returnMean',
  'returnSpread',
  'creditSize',
  'valueError',
  'startValue',
] as const;
