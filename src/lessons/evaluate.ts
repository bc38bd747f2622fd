import type { MetricId } from '../slots/metrics/metrics.ts';
import type { Bound } from './bind.ts';
import type { CheckSpec, Source } from './format/lesson.ts';
import type { Answer, Measure, Value } from './measures/types.ts';
import type { TrainedArm } from './trainedArm.ts';

export type Arms = ReadonlyMap<string, TrainedArm>;

/** What a check has found: its value with what was expected, or the sentence of why it has none. */
export type Outcome = {
  readonly id: string;
  readonly passed: boolean;
  /** null where it could not be computed */
  readonly value: number | null;
  readonly problem: string | null;
  readonly source: Source;
};

/** The value of an expression, from trained arms. Throws an `Error` with a sentence where a measure cannot tell. */
export async function evaluate(bound: Bound, arms: Arms): Promise<Value> {
  const value = await given(bound, arms);
  return value as Value;
}

async function given(bound: Bound, arms: Arms): Promise<unknown> {
  if (bound.kind === 'number') return bound.value;
  if (bound.kind === 'arm') {
    const arm = arms.get(bound.name);
    if (!arm) throw new Error(`The arm ${bound.name} has not been trained yet.`);
    return arm;
  }
  if (bound.kind !== 'call') return bound.name as MetricId;
  const { measure, text } = bound;
  const args: unknown[] = [];
  for (const arg of bound.args) args.push(await given(arg, arms));
  if (measure.watch) {
    const arm = args[0] as TrainedArm;
    const watcher = arm.watchers.get(text);
    if (watcher) return watcher.value(arm);
  }
  numbersOnly(measure, args);
  return (measure.of as (...all: unknown[]) => Answer)(...args);
}

/** A place that takes one number is given one: numbers per seed have to become one first. */
function numbersOnly({ id, takes }: Measure, args: readonly unknown[]): void {
  const place = takes.findIndex((kind, k) => kind.startsWith('number') && Array.isArray(args[k]));
  if (place >= 0) throw new Error(`${id} takes one number as value ${place + 1}, and this is one per seed.`);
}

/** One number, as checks and formulas need it. */
export async function numberOf(bound: Bound, arms: Arms): Promise<number> {
  const value = await evaluate(bound, arms);
  if (typeof value === 'number') return value;
  if (value.length === 1) return value[0]!;
  throw new Error('The value is one number per seed; say which one is meant, by mean(…), median(…), min(…) or max(…).');
}

/** True where a value lies where the check says. NaN lies nowhere. */
export function isWithin(value: number, { between, atLeast, atMost }: CheckSpec): boolean {
  const [low, high] = between ?? [atLeast ?? -Infinity, atMost ?? Infinity];
  return value >= low && value <= high;
}

/** Judges a check on trained arms. A value that is not a number has not passed. */
export async function judge(check: CheckSpec, bound: Bound, arms: Arms): Promise<Outcome> {
  const { id, source } = check;
  try {
    const value = await numberOf(bound, arms);
    const problem = Number.isNaN(value) ? 'The value is not a number: something that it needs was not measured.' : null;
    return { id, source, value: Number.isNaN(value) ? null : value, passed: isWithin(value, check), problem };
  } catch (error) {
    return { id, source, passed: false, value: null, problem: error instanceof Error ? error.message : String(error) };
  }
}
