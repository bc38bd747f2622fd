import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { rungOf, trainingContext } from '../../contract/taskContext.ts';
import type { Task, TaskOutcome } from '../../contract/tasks.ts';
import { drawnBy, mixOf, progressWeight, retirement, runOf, slopeOf } from './frontier.ts';
import { scaler } from './scaler.ts';
import type { SourceState } from './types.ts';

const LADDER = [5, 3, 9, 2];
const sizes = { P: 12, G: 4, levels: 0, stages: 1, growEvery: 1, rungs: LADDER };
const context = (update: number) => trainingContext(sizes, 1, update);
const rule = { ...defaultsOf(scaler.params), history: 4, zeroLimit: 2, topLimit: 2, slots: 2 };

function stateOf(own: typeof rule = rule): SourceState {
  const tensors = scaler.state!(own, 0, 1);
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { type, width }]) => [
      name,
      type === 'f64' ? new Float64Array(width as number) : new Uint32Array(width as number),
    ]),
  );
}

const rungs = (tasks: readonly Task[]): string[] =>
  tasks.map(({ levelSeed }) => rungOf(levelSeed, LADDER)).map(({ family, row }) => `${family}.${row}`);

const went = (task: Task, success: number): TaskOutcome => ({
  ...{ task, tries: 4, success, returnMean: success, returnSpread: 0 },
  ...{ creditSize: NaN, valueError: NaN },
});

/** Plays an update in which each family succeeds as often as `of` says. */
function update(state: SourceState, u: number, of: (family: number, row: number) => number): readonly Task[] {
  const tasks = scaler.next(state, context(u), rule);
  const outcomes = tasks.map((task) => {
    const { family, row } = rungOf(task.levelSeed, LADDER);
    return went(task, of(family, row));
  });
  scaler.report!(state, outcomes, context(u), rule);
  return tasks;
}

describe('tasks of SCALER', () => {
  test('are shared by the families that have a place, and mixed between two rows: d = 1.5 puts 3 of 6 one row higher', () => {
    const state = stateOf();
    state['d']!.set([1.5, 2]);
    const tasks = rungs(scaler.next(state, context(0), rule));
    expect(tasks.filter((rung) => rung.startsWith('0')).sort()).toEqual(['0.1', '0.1', '0.1', '0.2', '0.2', '0.2']);
    expect(tasks.filter((rung) => rung.startsWith('1'))).toEqual(Array(6).fill('1.2'));
  });

  test('are levels drawn evenly where the task is no ladder', () => {
    const flat = trainingContext({ ...sizes, rungs: [] }, 1, 0);
    expect(scaler.next(stateOf(), flat, rule).map(({ levelSeed }) => levelSeed)).toEqual(
      Array.from({ length: 12 }, (_, p) => flat.fresh(p)),
    );
  });

  test('follow the frontier: a policy that solves rows below 3 keeps its family halfway between rows 2 and 3', () => {
    const state = stateOf();
    const wide = { ...rule, history: 30, zeroLimit: 30, topLimit: 30, gain: 0.5 };
    for (let u = 0; u < 25; u++) {
      const tasks = scaler.next(state, context(u), { ...wide, slots: 1 });
      const outcomes = tasks.map((task) => went(task, rungOf(task.levelSeed, LADDER).row < 3 ? 1 : 0));
      scaler.report!(state, outcomes, context(u), { ...wide, slots: 1 });
    }
    expect(state['d']![0]).toBeCloseTo(2.5, 1);
  });

  test('leave a family that is mastered or hopeless to another one, which it never shares a batch with', () => {
    const state = stateOf();
    const met = new Set<string>();
    for (let u = 0; u < 40; u++) {
      const now = new Set(rungs(update(state, u, (family) => (family % 2 === 0 ? 1 : 0))).map((rung) => rung[0]!));
      expect(now.size).toBe(2);
      for (const family of now) met.add(family);
      for (const d of state['d']!) expect(d).toBeGreaterThanOrEqual(0);
      LADDER.forEach((rows, family) => expect(state['d']![family]).toBeLessThanOrEqual(rows - 1));
    }
    expect([...met].sort()).toEqual(['0', '1', '2', '3']);
  });

  test('an update without episodes that count moves nothing', () => {
    const state = stateOf();
    const tasks = scaler.next(state, context(0), rule);
    scaler.report!(
      state,
      tasks.map((task) => ({ ...went(task, 0), tries: 0 })),
      context(0),
      rule,
    );
    expect([...state['d']!, ...state['known']!].every((x) => x === 0)).toBe(true);
  });

  test('interpolated success weighs each row by its share: 1 below and 0 above at d = 0.25 is 0.75, whatever was played', () => {
    const state = stateOf();
    state['d']![0] = 0.25;
    const one = { ...rule, slots: 1, accuracy: 'interpolated' } as const;
    const tasks = scaler.next(state, context(0), one);
    scaler.report!(
      state,
      tasks.map((task) => went(task, rungOf(task.levelSeed, LADDER).row === 0 ? 1 : 0)),
      context(0),
      one,
    );
    // 0.25 + 2·(0.75 − 0.5)
    expect(state['d']![0]).toBeCloseTo(0.75, 12);
  });
});

describe('the controller', () => {
  test('mixes half up: 5 tasks at 0.5 have 3 of the harder row, at 0.1 one', () => {
    expect(mixOf(0.5, 5)).toEqual({ low: 0, high: 1, highCount: 3 });
    expect(mixOf(0.1, 5).highCount).toBe(1);
    expect(mixOf(2, 5)).toEqual({ low: 2, high: 2, highCount: 0 });
  });

  test('the mean row of a mix is the difficulty, to half a task', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 29, noNaN: true }), fc.integer({ min: 1, max: 64 }), (d, n) => {
        const { low, high, highCount } = mixOf(d, n);
        expect(Math.abs((highCount * high + (n - highCount) * low) / n - d)).toBeLessThanOrEqual(0.5 / n + 1e-9);
      }),
    );
  });

  test('a run counts the whole window, its first entry too', () => {
    expect(runOf([0, 0, 0], 0)).toBe(3);
    expect(runOf([0, 1, 0], 0)).toBe(1);
    expect(runOf([], 0)).toBe(0);
    const all = { difficulty: [2, 2], accuracy: [0, 0] };
    expect(retirement(all, { dMax: 9, history: 10, zeroLimit: 2, topLimit: 5 })).toBe('zero');
  });

  test('a slope is that of the regression, 1 while the window is not full; a level difficulty retires', () => {
    expect(slopeOf([1, 2, 4], 4)).toBe(1);
    expect(slopeOf([0, 1, 2, 3], 4)).toBeCloseTo(1, 12);
    expect(slopeOf([3, 1, 3, 1], 4)).toBeCloseTo(-0.4, 12);
    const flat = { difficulty: [2, 2, 2, 2], accuracy: [0.5, 0.5, 0.5, 0.5] };
    expect(retirement(flat, { dMax: 9, history: 4, zeroLimit: 5, topLimit: 5 })).toBe('flat');
    expect(retirement(flat, { dMax: 2, history: 5, zeroLimit: 5, topLimit: 4 })).toBe('top');
    expect(retirement(flat, { dMax: 9, history: 5, zeroLimit: 5, topLimit: 4 })).toBeNull();
  });
});

describe('weights by progress', () => {
  const PROGRESS = { slopeScale: 0.05, ageWeight: 0.1 };
  const free = { ...rule, choose: 'progress' } as const;

  test('of a family that rises 0.05 an update and was drawn 50 updates ago: 1 − 1/e + 0.1/2', () => {
    expect(progressWeight([0, 0.05, 0.1, 0.15], 50, PROGRESS)).toBeCloseTo(1 - Math.exp(-1) + 0.05, 12);
    // falling families have their age alone, which counts no further than 100 updates
    expect(progressWeight([2, 1, 0], 1, PROGRESS)).toBeCloseTo(0.001, 12);
    expect(progressWeight([2, 2, 2], 5000, PROGRESS)).toBeCloseTo(0.1, 12);
    expect(progressWeight([0, 9], 1, PROGRESS)).toBe(1);
  });

  test('lie between 0 and 1 + the weight of waiting, and never fall with slope or age', () => {
    const real = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 3, maxLength: 20 }),
        real,
        (d, more) => {
          const of = (tilt: number, age: number) =>
            progressWeight(
              d.map((x, k) => x + tilt * k),
              age,
              PROGRESS,
            );
          expect(of(0, 7)).toBeGreaterThanOrEqual(0);
          expect(of(0, 7)).toBeLessThanOrEqual(1.1);
          expect(of(Math.abs(more), 7)).toBeGreaterThanOrEqual(of(0, 7));
          expect(of(0, 8)).toBeGreaterThanOrEqual(of(0, 7));
        },
      ),
    );
  });

  test('draw in proportion, evenly where all are 0, and never what has none', () => {
    const hits = [0, 0, 0];
    for (let k = 0; k < 400; k++) hits[drawnBy([1, 0, 3], k / 400)]!++;
    expect(hits).toEqual([100, 0, 300]);
    expect([0, 0.5, 0.99].map((u) => drawnBy([0, 0, 0], u))).toEqual([0, 1, 2]);
    expect(drawnBy([1, 1e-30, 0], 1 - 2 ** -53)).toBe(0);
  });

  test('a family that climbs gets nearly all tasks beside three that stand still, and each row its share', () => {
    const state = stateOf(free);
    let climbing = 0;
    for (let u = 0; u < 60; u++) {
      const tasks = scaler.next(state, context(u), free);
      const own = tasks.filter(({ tag }) => tag === 2);
      if (u >= 30) climbing += own.length;
      const d = state['d']![2]!;
      const high = rungs(own).filter((rung) => rung === `2.${Math.floor(d) + 1}`).length;
      expect(high).toBe(mixOf(d, own.length).highCount);
      const outcomes = tasks.map((task) => went(task, task.tag === 2 ? 0.55 : 0));
      scaler.report!(state, outcomes, context(u), free);
      expect(state['retired']![0]).toBe(0);
    }
    expect(climbing / (30 * 12)).toBeGreaterThan(0.9);
    // nobody is forgotten for good
    for (const last of Array.from(state['drawnAt']!.subarray(0, 4))) expect(last).toBeGreaterThan(0);
  });

  test('with one family they are what the places are', () => {
    const one = { ...sizes, rungs: [5] };
    const [a, b] = [stateOf({ ...rule, slots: 1 }), stateOf(free)];
    for (let u = 0; u < 3; u++) {
      const at = trainingContext(one, 1, u);
      const tasks = scaler.next(a, at, { ...rule, slots: 1 });
      expect(scaler.next(b, at, free)).toEqual(tasks);
      const outcomes = tasks.map((task, p) => went(task, (p % 3) / 2));
      scaler.report!(a, outcomes, at, { ...rule, slots: 1 });
      scaler.report!(b, outcomes, at, free);
      expect(b['d']![0]).toBe(a['d']![0]);
    }
  });
});
