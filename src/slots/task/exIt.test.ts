import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zeros, type NumberArray } from '../../contract/numbers.ts';
import { trainingContext, wholeTask } from '../../contract/taskContext.ts';
import type { Task, TaskOutcome } from '../../contract/tasks.ts';
import { defaultsOf } from '../../core/settings.ts';
import { exIt, varianceOf } from './exIt.ts';

const WORDS = 3;
const defaults = defaultsOf(exIt.params);
const sizes = { P: 8, G: 4, levels: 5, stages: 1, growEvery: 1 };
const contextAt = (update: number) => trainingContext(sizes, 1, update);

const fresh = (kept: number): Record<string, NumberArray> =>
  Object.fromEntries(
    Object.entries(exIt.state!({ ...defaults, kept }, 0, WORDS)).map(([name, { type, width }]) => [
      name,
      zeros(type, width!),
    ]),
  );
const outcome = (task: Task, success: number, passed?: readonly number[], tries = 4): TaskOutcome => ({
  ...{ task, tries, success, returnMean: success, returnSpread: Math.sqrt(success * (1 - success)) },
  ...{ creditSize: NaN, valueError: NaN, ...(passed ? { passed } : {}) },
});
const stateAt = (clock: number): number[] => [7, 7 * clock, clock];
const report = (state: Record<string, NumberArray>, outcomes: readonly TaskOutcome[], update = 0, rule = defaults) =>
  exIt.report!(state, outcomes, contextAt(update), rule);
/** What is stored: level seed, clock and variance, by place. */
const stored = (state: Record<string, NumberArray>) =>
  Array.from(state['seenAt']!.keys()).flatMap((k) =>
    state['seenAt']![k]! > 0
      ? [[state['seed']![k]!, state['start']![(k + 1) * WORDS - 1]!, state['variance']![k]!] as const]
      : [],
  );

describe('what is stored', () => {
  test('one state of every group whose episodes differ, with its variance, by hand: ¼·¾ = 0.1875', () => {
    const state = fresh(4);
    report(state, [
      outcome(wholeTask(11, 4), 0.25, stateAt(2)),
      outcome(wholeTask(12, 4), 0, stateAt(3)),
      outcome(wholeTask(13, 4), 1, stateAt(4)),
      outcome(wholeTask(14, 4), 0.5, stateAt(5)),
      outcome(wholeTask(15, 4), 0.5),
    ]);
    expect(stored(state)).toEqual([
      [11, 2, 0.1875],
      [14, 5, 0.25],
    ]);
    expect([...state['start']!.slice(0, WORDS)]).toEqual(stateAt(2));
  });

  test('v is replaced once a group has begun there, and its state leaves when two in a row agree', () => {
    const state = fresh(4);
    report(state, [outcome(wholeTask(11, 4), 0.25, stateAt(2))]);
    const begun = { ...wholeTask(11, 4), start: stateAt(2), tag: 0 };
    report(state, [outcome(begun, 0.5)], 1);
    expect(stored(state)).toEqual([[11, 2, 0.25]]);
    report(state, [outcome(begun, 1)], 2);
    expect(stored(state)).toEqual([[11, 2, 0]]);
    report(state, [outcome(begun, 0.5)], 3);
    report(state, [outcome(begun, 0)], 4);
    expect(stored(state)).toEqual([[11, 2, 0]]);
    // a group without an episode of the policy itself says nothing
    report(state, [outcome(begun, NaN, undefined, 0)], 5);
    expect(stored(state)).toEqual([[11, 2, 0]]);
    report(state, [outcome(begun, 0)], 6);
    expect(stored(state)).toEqual([]);
  });

  test('where there is no room the lowest variance leaves, of equal ones the oldest, and a newcomer below all never enters', () => {
    const state = fresh(2);
    report(state, [outcome(wholeTask(11, 4), 0.5, stateAt(2))], 0);
    report(state, [outcome(wholeTask(12, 4), 0.5, stateAt(3))], 1);
    report(state, [outcome(wholeTask(13, 4), 0.25, stateAt(4))], 2);
    expect(stored(state).map(([seed]) => seed)).toEqual([11, 12]);
    report(state, [outcome(wholeTask(14, 4), 0.5, stateAt(5))], 3);
    expect(stored(state).map(([seed]) => seed)).toEqual([14, 12]);
    const lower = { ...wholeTask(14, 4), start: stateAt(5), tag: 0 };
    report(state, [outcome(lower, 0.75), outcome(wholeTask(15, 4), 0.75, stateAt(6))], 4);
    expect(stored(state).map(([seed]) => seed)).toEqual([15, 12]);
  });

  test('the variance is that of success or of the return, as it is set', () => {
    const costly = { ...outcome(wholeTask(1, 4), 0), returnSpread: 0.3 };
    expect(varianceOf(costly, { variance: 'success' })).toBe(0);
    expect(varianceOf(costly, { variance: 'return' })).toBeCloseTo(0.09, 12);
  });

  test('whatever is reported, no more is stored than there is room for, and every variance is that of a group', () => {
    const won = fc.integer({ min: 0, max: 4 }).map((n) => n / 4);
    const batch = fc.array(won, { minLength: sizes.P, maxLength: sizes.P });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 12 }), fc.integer({ min: 1, max: 6 }), (batches, kept) => {
        const state = fresh(kept);
        batches.forEach((successes, u) => {
          const tasks = exIt.next(state, contextAt(u), { ...defaults, kept });
          expect(tasks.reduce((sum, { tries }) => sum + tries, 0)).toBe(sizes.P * sizes.G);
          for (const { tag, levelSeed, start } of tasks) {
            if (tag === undefined) expect(start).toBe('initial');
            else {
              expect(state['seenAt']![tag]).toBeGreaterThan(0);
              expect(levelSeed).toBe(state['seed']![tag]);
              expect(start).toEqual([...state['start']!.slice(tag * WORDS, (tag + 1) * WORDS)]);
            }
          }
          const tags = tasks.flatMap(({ tag }) => tag ?? []);
          expect(new Set(tags).size).toBe(tags.length);
          const went = tasks.map((task, p) => outcome(task, successes[p]!, stateAt(1 + ((u + p) % 9))));
          report(state, went, u, { ...defaults, kept });
          const now = stored(state);
          expect(now.length).toBeLessThanOrEqual(kept);
          expect(now.every(([, , v]) => [0, 0.1875, 0.25].includes(v))).toBe(true);
          // a group that disagrees is never lost while there is room
          if (successes.some((x) => x > 0 && x < 1)) expect(now.length).toBeGreaterThan(0);
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe('where episodes begin', () => {
  const filled = () => {
    const state = fresh(16);
    const each = [0.25, 0.5, 0.75, 0.5];
    report(
      state,
      Array.from({ length: 16 }, (_, k) => outcome(wholeTask(20 + k, 4), each[k % 4]!, stateAt(1 + k))),
    );
    return state;
  };
  const shareOf = (rule: typeof defaults): number => {
    const state = filled();
    const tasks = Array.from({ length: 60 }, (_, u) => exIt.next(state, contextAt(u), rule)).flat();
    return tasks.filter(({ start }) => start !== 'initial').length / tasks.length;
  };

  test('nothing is stored: all tasks are new', () => {
    const tasks = exIt.next(fresh(4), contextAt(3), { ...defaults, share: 1 });
    expect(tasks.every(({ start, tag }) => start === 'initial' && tag === undefined)).toBe(true);
  });

  test('half of the tasks, as the share says: 240 of 480 draws, give or take four standard deviations', () => {
    expect(shareOf({ ...defaults, share: 0 })).toBe(0);
    expect(shareOf({ ...defaults, share: 1 })).toBe(1);
    expect(Math.abs(shareOf(defaults) - 0.5)).toBeLessThan(4 * Math.sqrt(0.25 / 480));
  });

  test('the highest variances come first, and with a high temperature all alike', () => {
    const state = filled();
    const counts = (temperature: number): number => {
      let high = 0;
      for (let u = 0; u < 60; u++)
        for (const { tag } of exIt.next(state, contextAt(u), { ...defaults, share: 1, temperature }))
          if (state['variance']![tag!] === 0.25) high++;
      return high / 480;
    };
    // eight of sixteen have 0.25, and a batch holds eight different ones
    expect(counts(0.05)).toBeGreaterThan(0.95);
    expect(Math.abs(counts(10) - 0.5)).toBeLessThan(0.1);
  });
});

test('with groups of one, or a share of 0, the form says that nothing comes of it', () => {
  const asked = { T: 10, levels: 1, shortest: () => null };
  expect(exIt.warns!(defaults, 1, asked)).toContain('no state is ever stored');
  expect(exIt.warns!({ ...defaults, share: 0 }, 4, asked)).toContain('none is ever played');
  expect(exIt.warns!(defaults, 4, asked)).toBeNull();
});
