import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { reachedIn, REACHED, writeReached } from '../contract/reached.ts';
import { zeros, type NumberArray } from '../contract/numbers.ts';
import { wholeTask } from '../contract/taskContext.ts';
import { usedSteps, type Task, type TaskOutcome } from '../contract/tasks.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { makePlan, type Plan } from './plan.ts';
import { sourceContext } from './plannedRows.ts';
import { checkpointsOf } from '../envs/checkpoints.ts';
import { distancesOf } from '../envs/distances.ts';
import { before, cycleOf, envGen, skillOf, SKILLS, weightOf } from '../slots/task/envGen.ts';

const defaults = defaultsOf(envGen.params);
const GOAL = SKILLS - 1;
const planOf = (changes: Readonly<Record<string, unknown>>): Plan =>
  must(
    makePlan(
      configWith({
        ...{ 'source.method': 'envGen', 'rollout.tasksPerBatch': 20, 'rollout.groupSize': 2, 'run.updates': 100 },
        ...{ 'task.levels': 3, ...changes },
      }),
    ),
  );
const corridor = planOf({
  'task.grid.level': 'corridor',
  'task.grid.n': 16,
  'task.grid.maxSteps': 40,
  'task.levels': 1,
});
const keyDoor = planOf({ 'task.grid.level': 'keyDoor' });
const boxes = planOf({ 'task.method': 'sokoban', 'task.sokoban.level': 'twoBoxes' });
const fresh = (): Record<string, NumberArray> =>
  Object.fromEntries(
    Object.entries(envGen.state!(defaults, 0, 1)).map(([name, { type, width }]) => [name, zeros(type, width!)]),
  );
const context = (plan: Plan, update = 0) => sourceContext(plan, plan.seeds[0]!, update);
const outcome = (task: Task, reached: readonly number[], tries = 4): TaskOutcome => ({
  ...{ task, tries, success: reached.at(-1)! / tries, returnMean: 0, returnSpread: 0 },
  ...{ creditSize: NaN, valueError: NaN, reached },
});

describe('checkpoints that are told', () => {
  const told = (passed: readonly number[], n: number): readonly number[] => {
    const all = new Uint32Array(2 * REACHED);
    writeReached(passed, n, all, REACHED);
    return reachedIn(all, 1);
  };

  test('by hand: episodes that passed 0, 1, 2 and all 3 of 3', () => expect(told([0, 1, 2, 3], 3)).toEqual([3, 2, 1]));

  test('only success, or more than there is room for: the last number is always success', () => {
    expect(told([0, 1], 1)).toEqual([1]);
    const many = told([19, 20, 15, 3], 20);
    expect(many).toHaveLength(16);
    expect([many[0], many[2], many[14], many[15]]).toEqual([4, 4, 3, 1]);
    expect(told([], 2)).toEqual([0, 0]);
  });
});

describe('weights', () => {
  test('by hand: 1 of what nobody reached, 0.8 at a success of a quarter, 0.05 from 0.95 on', () => {
    expect([NaN, 0, 0.25, 0.94, 0.95, 1].map((s) => weightOf(s, 0.95))).toEqual(
      [1, 1.05, 0.8, 0.11, 0.05, 0.05].map((w) => expect.closeTo(w, 12) as number),
    );
  });

  test('four cycles of equal length, the last one to the end and beyond', () => {
    expect([0, 24, 25, 50, 74, 75, 99, 100, 140].map((u) => cycleOf(u, 100, 4))).toEqual([0, 0, 1, 2, 2, 3, 3, 3, 3]);
    // lengths that four does not divide, and more cycles than updates
    expect([0, 2, 3, 4, 5, 6, 8, 9].map((u) => cycleOf(u, 10, 4))).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    expect([0, 1].map((u) => cycleOf(u, 2, 4))).toEqual([0, 2]);
  });

  test('success is the same skill in every level', () => {
    expect([skillOf(0, 1), skillOf(0, 4), skillOf(3, 4), skillOf(15, 16)]).toEqual([GOAL, 0, GOAL, GOAL]);
  });
});

describe('what is generated', () => {
  test('on a way of 16 steps milestones lie 4 steps apart, and starts 1 to 3 steps before each', () => {
    const { env } = corridor;
    const level = corridor.level(corridor.firstLevelSeed) as object;
    const from = distancesOf(env, level)!;
    const steps = before(env, level, from, 3).map((list) => list.map((k) => from.fromStart[k]!).sort((a, b) => a - b));
    expect(from.best).toBe(16);
    expect(steps).toEqual([
      [1, 2, 3],
      [5, 6, 7],
      [9, 10, 11],
      [13, 14, 15],
    ]);
  });

  test.each([
    ['key and door', keyDoor],
    ['two boxes', boxes],
  ])('in %s all before a skill holds, it does not, and it can be reached in as many steps', (_name, plan) => {
    const { env } = plan;
    for (const near of [1, 4]) {
      const level = plan.level(plan.firstLevelSeed) as object;
      const from = distancesOf(env, level)!;
      const { names, reached } = checkpointsOf(env, level);
      const lists = before(env, level, from, near);
      expect(lists).toHaveLength(names.length);
      expect(lists.every((list) => list.length > 0)).toBe(true);
      lists.forEach((list, m) => {
        for (const k of list) {
          expect(reached(from.states[k]!, 0)).toBe(m);
          expect(from.fromStart[k]! + from.toGoal[k]!).toBe(from.best);
          // among the states on shortest ways, one that holds it is at most `near` steps later
          const later = Array.from(from.states.keys()).filter(
            (j) => from.fromStart[j]! + from.toGoal[j]! === from.best && reached(from.states[j]!, 0) > m,
          );
          const arrival = Math.min(from.best, ...later.map((j) => from.fromStart[j]!));
          expect(arrival - from.fromStart[k]!).toBeGreaterThan(0);
          expect(arrival - from.fromStart[k]!).toBeLessThanOrEqual(near);
        }
      });
    }
  });

  const drawnOf = (plan: Plan, state: Record<string, NumberArray>, rule = defaults): Task[] =>
    Array.from({ length: 40 }, (_, u) => envGen.next(state, context(plan, u), rule)).flat();

  test('half of the tasks, each skill as often as its weight says: 1, 1.05, 0.05, 1', () => {
    const state = fresh();
    state['ever']!.set([0, 1, 1]);
    state['known']!.set([1, 1, 1]);
    state['rate']!.set([0, 0, 0.97]);
    const tasks = drawnOf(corridor, state);
    const made = tasks.filter(({ tag }) => tag !== undefined);
    // 400 of 800, give or take four standard deviations
    expect(Math.abs(made.length - 400)).toBeLessThan(57);
    const counts = [0, 1, 2, 3].map((k) => made.filter(({ tag }) => tag === k).length / made.length);
    [1, 1.05, 0.05, 1].forEach((w, k) => expect(Math.abs(counts[k]! - w / 3.1)).toBeLessThan(0.1));
    expect(counts[2]).toBeLessThan(0.05);
    expect(made.every(({ tag, start }) => Math.floor(usedSteps(start) / 4) === tag)).toBe(true);
    expect(tasks.every(({ tag, start }) => (tag === undefined) === (start === 'initial'))).toBe(true);
  });

  test('with a share of 0 all tasks are whole, and no start is farther from the goal than its steps last', () => {
    expect(drawnOf(keyDoor, fresh(), { ...defaults, share: 0 }).every(({ start }) => start === 'initial')).toBe(true);
    const short = planOf({ 'task.grid.level': 'corridor', 'task.grid.n': 16, 'task.grid.maxSteps': 10 });
    const made = drawnOf(short, fresh()).filter(({ tag }) => tag !== undefined);
    expect(made.length).toBeGreaterThan(50);
    expect(made.every(({ tag }) => tag === 3)).toBe(true);
  });

  test('of five families, one whose goal is mastered is hardly generated', () => {
    const ladder = planOf({ 'task.grid.level': 'ladder', 'task.levels': 0 });
    const state = fresh();
    for (const name of ['ever', 'known', 'rate']) state[name]![2 * SKILLS + GOAL] = 1;
    const made = drawnOf(ladder, state, { ...defaults, share: 1 }).filter(({ tag }) => tag !== undefined);
    const families = made.map(({ levelSeed }) => (levelSeed >>> 5) & 7);
    expect(new Set(families).size).toBe(ladder.rungs.length);
    expect(families.filter((f) => f === 2).length / made.length).toBeLessThan(0.05);
  });
});

describe('the table of skills', () => {
  const whole = wholeTask(corridor.firstLevelSeed, 4);
  const practiced = { ...whole, start: [9, 0, 9], tag: 2 };

  test('by hand: it is read at the end of a cycle, of whole tasks alone; what anybody reached is known to be reachable', () => {
    const state = fresh();
    const report = (update: number, outcomes: readonly TaskOutcome[]): void =>
      envGen.report!(state, outcomes, context(corridor, update), defaults);
    report(10, [outcome(whole, [4, 1, 0, 0]), outcome(practiced, [4, 4, 3, 1])]);
    report(11, [outcome(whole, [2, 0, 0, 0], 2), outcome(whole, [NaN, NaN, NaN, NaN], 0)]);
    expect(Array.from(state['known']!).some((x) => x > 0)).toBe(false);
    expect(envGen.measure!(state, { tasks: [whole], T: 40 }, defaults)['skillGoal']).toBeNaN();
    report(24, []);
    expect([0, 1, 2, GOAL].map((k) => state['rate']![k])).toEqual([1, 1 / 6, 0, 0]);
    expect([0, 1, 2, GOAL].map((k) => state['ever']![k])).toEqual([1, 1, 1, 1]);
    expect(Array.from(state['tries']!).every((x) => x === 0)).toBe(true);
    expect(envGen.measure!(state, { tasks: [whole, practiced], T: 40 }, defaults)).toMatchObject({
      ...{ savedStarts: 0.5, skill1: 1, skill2: 1 / 6, skill3: 0, skill4: NaN, skillGoal: 0 },
    });
    // a cycle without whole tasks says nothing new
    report(49, [outcome(practiced, [4, 4, 4, 4])]);
    expect([0, 1, 2, GOAL].map((k) => state['rate']![k])).toEqual([1, 1 / 6, 0, 0]);
  });

  test('a start that holds milestones has not reached them: only what comes after counts as reached', () => {
    const state = fresh();
    envGen.report!(state, [outcome(practiced, [4, 4, 0, 0])], context(corridor, 3), defaults);
    expect(Array.from(state['ever']!).every((x) => x === 0)).toBe(true);
  });

  test('whatever is reported, rates are shares, later milestones no more frequent, and tasks fill the batch', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 8 }), (batches) => {
        const state = fresh();
        const rule = { ...defaults, cycles: 50 };
        batches.forEach((batch, u) => {
          const tasks = envGen.next(state, context(corridor, u), rule);
          expect(tasks).toHaveLength(20);
          const went = tasks.map((task, p) => {
            const held = task.tag ?? 0;
            const passed = [0, 1, 2, 3].map((k) => Math.min(4, held + ((batch[p]! + k) % 5)));
            const all = new Uint32Array(REACHED);
            writeReached(passed, 4, all, 0);
            return outcome(task, reachedIn(all, 0));
          });
          envGen.report!(state, went, context(corridor, u), rule);
          const rates = [0, 1, 2, GOAL].map((k) => state['rate']![k]!);
          rates.forEach((s, k) => {
            expect(s).toBeGreaterThanOrEqual(0);
            expect(s).toBeLessThanOrEqual(k === 0 ? 1 : rates[k - 1]!);
          });
        });
      }),
      { numRuns: 30 },
    );
  });
});

test('the form says where nothing is generated, or nothing measured', () => {
  const asked = { T: 10, levels: 1, shortest: () => null };
  expect(envGen.warns!({ ...defaults, share: 0 }, 4, asked)).toContain('generates no task');
  expect(envGen.warns!({ ...defaults, share: 1 }, 4, asked)).toContain('plays none');
  expect(envGen.warns!(defaults, 4, asked)).toBeNull();
});
