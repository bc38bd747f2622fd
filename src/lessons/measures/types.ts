import type { MetricId } from '../../slots/metrics/metrics.ts';
import type { TrainedArm } from '../trainedArm.ts';

/** One number, or one per seed. */
export type Value = number | readonly number[];

/** What a place of a call may take. `word` is a name that the measure itself explains; `?` may be left out, at the end. */
export type Given = {
  readonly arm: TrainedArm;
  readonly metric: MetricId;
  readonly value: Value;
  readonly number: number;
  readonly word: string;
  readonly 'number?': number | undefined;
  readonly 'word?': string | undefined;
};
export type Kind = keyof Given;
type GivenFor<K extends readonly Kind[]> = { [I in keyof K]: Given[K[I]] };
export type Answer = Value | Promise<Value>;

/** Called while an arm trains: before the first update and after each. `value` is asked once, at the end. */
export type Watcher = {
  readonly see: (arm: TrainedArm) => void | Promise<void>;
  readonly value: (arm: TrainedArm) => Answer;
};

type About = {
  /** what expressions call it */
  readonly id: string;
  /** what it is, in one sentence, with its unit and its source where it has one */
  readonly doc: string;
};

/**
 * A number, or one per seed, that is measured on trained arms. A plain function; what is wrong with its arguments it says by
 * throwing an `Error` with a sentence.
 */
export type Measure = About & {
  readonly takes: readonly Kind[];
  /** the answer, from arms at their ends; for a measure that watches, of what it has seen */
  readonly of: (...given: readonly never[]) => Answer;
  /** for measures that need every update: the first argument is the arm, the others are numbers and names */
  readonly watch?: (...given: readonly never[]) => Watcher;
};

/** A measure of arms at their ends. `of` gets what `takes` says, in that order. */
export function measure<const K extends readonly Kind[]>(
  record: About & { readonly takes: K; readonly of: (...given: GivenFor<K>) => Answer },
): Measure {
  return record as unknown as Measure;
}

/** A measure that looks at an arm while it trains. The first argument of `takes` is the arm; `watch` gets the others. */
export function watching<const K extends readonly Exclude<Kind, 'arm' | 'value'>[]>(
  record: About & { readonly takes: K; readonly watch: (...given: GivenFor<K>) => Watcher },
): Measure {
  const { takes, ...about } = record;
  const of = (): never => {
    throw new Error(`${about.id} looks at an arm while it trains, and this one has trained without it.`);
  };
  return { ...about, takes: ['arm', ...takes], of } as unknown as Measure;
}
