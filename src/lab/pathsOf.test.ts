import { expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { fewestStepsWithin, shortestPath } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { configWith } from '../config/schema.ts';
import { pathsOf, Shortest } from './pathsOf.ts';
import { makePlan, type Plan } from '../engine/plan.ts';

const planOf = (changes: Record<string, unknown>): Plan => must(makePlan(configWith(changes)));

test('a corridor of twelve steps takes twelve; the key and the door of the other level lie on its way', () => {
  for (const [changes, steps] of [
    [{ 'task.grid.level': 'corridor', 'task.grid.n': 12 }, 12],
    [{ 'task.grid.level': 'keyDoor' }, 8],
  ] as const) {
    const { env, level } = planOf(changes);
    expect(fewestStepsWithin(env, level(1), 4000)).toMatchObject({ steps, isCut: false });
    // where nothing pays there is no way
    const outcomes: Plan['env']['outcomes'] = (l, state, action) =>
      env.outcomes(l, state, action).map((o) => ({ ...o, flags: o.flags & ~FLAG.success }));
    expect(fewestStepsWithin({ ...env, outcomes }, level(1), 4000)).toMatchObject({ steps: null, isCut: false });
  }
});

test('the search without a table finds what the table says, luck on ice included, and gives up at its limit', () => {
  for (const changes of [
    { 'task.grid.level': 'frozenLake4' },
    { 'task.grid.level': 'doorKey', 'task.grid.n': 6, 'task.grid.actions': 'turn' },
    { 'task.method': 'sokoban' },
    { 'task.method': 'textmaze' },
  ]) {
    const { env, level } = planOf(changes);
    for (const seed of [1, 2, 3]) {
      const { steps, states } = fewestStepsWithin(env, level(seed), 4000);
      expect(steps).toBe(shortestPath(env, level(seed))!.length);
      if (states > 2) expect(fewestStepsWithin(env, level(seed), 2)).toMatchObject({ steps: null, isCut: true });
    }
  }
});

test('a batch with many levels is solved bit by bit, each level once', () => {
  const plan = planOf({ 'task.grid.level': 'doorKey', 'task.grid.n': 6, 'task.levels': 0 });
  let made = 0;
  const counted = { env: plan.env, level: (seed: number) => (made++, plan.level(seed)) };
  const seeds = new Set([8, 16, 24, 32, 40, 48]);
  const shortest = new Shortest(counted, 40);
  expect(shortest.of(seeds)).toBeNull();
  for (let turn = 0; turn < 5; turn++) shortest.of(seeds);
  const found = shortest.of(seeds)!;
  expect([...found.values()].every((n) => n !== null && n > 2)).toBe(true);
  const before = made;
  expect(shortest.of(seeds)).toEqual(found);
  expect(made).toBe(before);
  // a level that is too large alone is not tried again
  const small = new Shortest(counted, 3);
  expect(small.of(new Set([8]))!.get(8)).toBeNull();
});

test('SPL counts a detour in part and a failure not at all; a level that is not known leaves it open', () => {
  const known = new Map([[7, 12]]);
  const batch = { success: Uint32Array.of(1, 1, 0, 1), length: Uint32Array.of(12, 24, 30, 12) };
  const seeds = [7, 7, 7, 8];
  const found = pathsOf(batch, [0, 1, 2], seeds, known);
  expect(found.spl).toBeCloseTo(1.5 / 3, 12);
  expect(found.excessSteps).toBe(6);
  expect(pathsOf(batch, [2], seeds, known)).toEqual({ spl: 0, excessSteps: null });
  expect(pathsOf(batch, [0, 3], seeds, known)).toEqual({ spl: null, excessSteps: null });
  expect(pathsOf(batch, [2], seeds, null)).toEqual({ spl: null, excessSteps: null });
});
