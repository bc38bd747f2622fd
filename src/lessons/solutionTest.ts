import { expect, test } from 'vitest';
import { configOfArm } from './arms.ts';
import { exerciseIn, type LessonRuns } from './runs.ts';

/** The goal of an exercise is not reached by the lesson itself, and is reached by these settings of its fields. */
export function testSolution(
  trained: () => LessonRuns,
  exercise: string,
  own: Readonly<Record<string, string | number | boolean>>,
): void {
  test(`the exercise ${exercise} is open, and is solved by ${JSON.stringify(own)}`, async () => {
    const runs = trained();
    const { arm, goal, fields } = exerciseIn(runs.lesson, exercise);
    const spec = runs.lesson.arms.find((one) => one.id === arm)!;
    expect(Object.keys(own).filter((path) => !fields.includes(path))).toEqual([]);
    expect((await runs.check(goal)).passed).toBe(false);
    expect(await runs.exercise(exercise, await configOfArm(spec, own))).toMatchObject({
      kind: 'done',
      outcome: { passed: true },
    });
  });
}

/** Values of the trained arms that were recorded and that no check of the lesson holds: expression, then lowest and highest. */
export function testRecorded(
  trained: () => LessonRuns,
  recorded: readonly (readonly [expression: string, low: number, high: number])[],
): void {
  test('the recorded values that no check holds', async () => {
    const found = await trained().values(Object.fromEntries(recorded.map(([text], k) => [`v${k}`, text])));
    const wrong = recorded.flatMap(([text, low, high], k) => {
      const { value, problem } = found[k]!;
      return value !== null && value >= low && value <= high ? [] : [`${text} is ${value ?? problem}`];
    });
    expect(wrong).toEqual([]);
  });
}

/**
 * Bounds from a mean of 20 seeds and half its 95 % interval (Student): three standard errors of a mean of so many seeds. Half
 * an interval is 0.468 standard deviations of a seed.
 */
export function threeErrors(expression: string, mean: number, half: number, seeds: number): [string, number, number] {
  const most = (3 * half) / 0.468 / Math.sqrt(seeds);
  return [expression, mean - most, mean + most];
}
