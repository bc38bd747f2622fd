import type { Finished, Replay } from '../memory/types.ts';

/** Numbers of a stored task: 1, level seed, step limit, variant, seed of its chance. */
export const TASK = 5;

/** What row `row` of a batch played, as these numbers. */
export function numbersOf(finished: Pick<Finished, 'name' | 'episodeSeed'>, row: number): readonly number[] {
  const { levelSeed, maxSteps, variant } = finished.name(row);
  return [1, levelSeed, maxSteps, variant, finished.episodeSeed(row)];
}

/** Task k of a list of such numbers; null: there is none. */
export function taskAt(numbers: Float64Array, k: number): Pick<Replay, 'name' | 'episodeSeed'> | null {
  const [isTask, levelSeed, maxSteps, variant, episodeSeed] = numbers.subarray(k * TASK, (k + 1) * TASK);
  if (isTask !== 1) return null;
  return {
    name: { levelSeed: levelSeed!, maxSteps: maxSteps!, variant: variant! },
    episodeSeed: episodeSeed!,
  };
}
