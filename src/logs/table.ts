import type { TextPool } from './textPool.ts';

/** No text, where a text has a number. */
export const NO_TEXT = 0xffffffff;

/** Numbers of a step that a log may or may not hold. */
export const STEP_NUMBERS = ['logp', 'entropy', 'value', 'scoreNorm', 'logpPhi'] as const;
export type StepNumber = (typeof STEP_NUMBERS)[number];

/**
 * The steps of a log in one neutral form, whatever layout it was written in: episodes of a task after one another, tasks of an update too, steps of
 * an episode in their order. Step k of episode i is `start[i] + k`.
 */
export type StepTable = {
  readonly steps: number;
  readonly episodes: number;
  readonly tasks: number;
  /** [episodes + 1] */
  readonly start: Uint32Array;
  /** [episodes] task of each episode, ascending; and whether it succeeded, whether it ended by itself: 2 = not said */
  readonly task: Uint32Array;
  readonly outcome: Float32Array;
  readonly success: Uint8Array;
  readonly terminated: Uint8Array;
  /** [episodes] text of the state after the last step, and the words of its key */
  readonly finalText: Uint32Array;
  readonly finalKey: Uint32Array;
  /** [episodes] value of the state after the last step; NaN = not said */
  readonly finalValue: Float32Array;
  /** [tasks] training update that each task was of, ascending: a batch of its own */
  readonly update: Uint32Array;
  /** [tasks] return of a greedy episode; NaN = not said */
  readonly greedy: Float32Array;
  readonly episodeNames: readonly string[];
  readonly taskNames: readonly string[];
  /** [steps] */
  readonly reward: Float32Array;
  readonly numbers: Readonly<Partial<Record<StepNumber, Float32Array>>>;
  /** [2 · steps] words of the key of the state before each step; null where the log has no states */
  readonly stateKey: Uint32Array | null;
  /** [steps] numbers of texts: the state before the step, the action, what was said; NO_TEXT = none */
  readonly state: Uint32Array;
  readonly action: Uint32Array | null;
  readonly said: Uint32Array;
  /** [steps] line of the file that the step stood in */
  readonly line: Uint32Array;
  readonly texts: TextPool;
};
