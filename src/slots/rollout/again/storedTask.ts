import type { LevelName } from '../../../contract/tasks.ts';
import type { Finished, Replay } from '../memory/types.ts';

/** Numbers of a stored task: what it is, level seed, step limit, variant, seed of its chance. */
export const TASK = 5;
// What a place holds if it is not empty: a task from the start of its level, or from a saved state that stands beside it.
const FROM_START = 1;
const FROM_SAVED = 2;

/** Tasks in a row, and for each of them the words of the state that it begins in. */
export type TaskList = { readonly numbers: Float64Array; readonly starts: Uint32Array };

/** Words of a state. */
const wordsIn = ({ numbers, starts }: TaskList): number => (starts.length * TASK) / numbers.length;

/** Puts what row `row` of a batch played into place k. */
export function putTask(
  list: TaskList,
  k: number,
  finished: Pick<Finished, 'name' | 'episodeSeed' | 'begins'>,
  row: number,
): void {
  const { levelSeed, maxSteps, variant } = finished.name(row);
  const begins = finished.begins(row);
  const kind = begins ? FROM_SAVED : FROM_START;
  list.numbers.set([kind, levelSeed, maxSteps, variant, finished.episodeSeed(row)], k * TASK);
  if (begins) list.starts.set(begins, k * wordsIn(list));
}

/** Task k of a list; null: there is none. */
export function taskAt(list: TaskList, k: number): Pick<Replay, 'name' | 'episodeSeed' | 'begins'> | null {
  const [kind, levelSeed, maxSteps, variant, episodeSeed] = list.numbers.subarray(k * TASK, (k + 1) * TASK);
  if (kind !== FROM_START && kind !== FROM_SAVED) return null;
  const words = wordsIn(list);
  return {
    name: { levelSeed: levelSeed!, maxSteps: maxSteps!, variant: variant! },
    episodeSeed: episodeSeed!,
    ...(kind === FROM_SAVED && { begins: list.starts.slice(k * words, (k + 1) * words) }),
  };
}

/** Moves the first `count` tasks of a list `by` places towards its end; what stood there is gone. */
export function moveTasks(list: TaskList, by: number, count: number): void {
  const words = wordsIn(list);
  list.numbers.copyWithin(by * TASK, 0, count * TASK);
  list.starts.copyWithin(by * words, 0, count * words);
}

/** Takes the first `count` tasks out of a list; the others move up. */
export function dropTasks(list: TaskList, count: number): void {
  list.numbers.copyWithin(0, count * TASK);
  list.starts.copyWithin(0, count * wordsIn(list));
  list.numbers.fill(0, list.numbers.length - count * TASK);
}

/** Copies task `from` of a list into place `to` of another one. */
export function copyTask(source: TaskList, from: number, target: TaskList, to: number): void {
  const words = wordsIn(source);
  target.numbers.set(source.numbers.subarray(from * TASK, (from + 1) * TASK), to * TASK);
  target.starts.set(source.starts.subarray(from * words, (from + 1) * words), to * words);
}

/** A name for where an episode begins: its level, and the saved state of it, if any. */
export const placeKey = ({ name: { levelSeed, maxSteps, variant }, begins }: Place): string =>
  [levelSeed, maxSteps, variant, 'from', ...Array.from(begins ?? [])].join();
type Place = { readonly name: LevelName; readonly begins?: ArrayLike<number> | null | undefined };

/** Do two places hold the same level and start, whatever chance they met? */
export function isSameTask(a: TaskList, j: number, b: TaskList, k: number): boolean {
  const [one, other] = [taskAt(a, j), taskAt(b, k)];
  if (!one || !other) return false;
  return placeKey(one) === placeKey(other);
}
