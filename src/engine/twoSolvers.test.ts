import { describe, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';
import { mixtureOf, solversOf } from './twoSolvers.ts';

const planOf = (changes: Readonly<Record<string, unknown>>): Plan => must(makePlan(configWith(changes)));
const whereOf = ({ env, level, firstLevelSeed, T }: Plan) => ({ env, T, level: level(firstLevelSeed) });
const ROOM = { 'task.grid.level': 'empty', 'task.grid.n': 4, 'task.grid.maxSteps': 20 };

/** Steps of an episode, and whether it succeeds. */
function played({ env, level }: ReturnType<typeof whereOf>, path: readonly number[], seed = 1) {
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  for (const action of path) {
    expect((env.legal(level, state, 0) >>> action) & 1).toBe(1);
    env.step(level, state, 0, { action, seed }, result);
  }
  return (result.flags & FLAG.success) !== 0;
}

describe.each([
  ROOM,
  { 'task.grid.level': 'keyDoor' },
  { 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.pulls': 5, 'task.sokoban.maxSteps': 60 },
])('two solvers of %o', (changes) => {
  const where = whereOf(planOf(changes));
  const fewest = where.env.shortestPath(where.level)!.length;

  test('both go shortest ways', () => {
    for (const share of [0, 1]) {
      const path = mixtureOf(where, { share, errs: 0 })!(5, 0);
      expect(path).toHaveLength(fewest);
      expect(played(where, path)).toBe(true);
    }
  });

  test('one that errs takes longer, and never what is not legal', () => {
    const record = mixtureOf(where, { share: 1, errs: 0.4 })!;
    const paths = Array.from({ length: 40 }, (_, seed) => record(seed, 0));
    paths.forEach((path, seed) => played(where, path, seed));
    expect(mean(paths.map((path) => path.length))).toBeGreaterThan(fewest);
    expect(record(7, 0)).toEqual(record(7, 0));
  });
});

test('in a room one goes right first, the other down first', () => {
  const where = whereOf(planOf(ROOM));
  const start = new Uint32Array(where.env.words);
  where.env.reset(where.level, start, 0);
  const names = where.env.actions(where.level);
  const solvers = solversOf(where)!;
  expect([solvers.choice(0, start, 0), solvers.choice(1, start, 0)].map((a) => names[a])).toEqual(['right', 'down']);
  expect(new Set(mixtureOf(where, { share: 0, errs: 0.9 })!(3, 0).slice(0, 3))).toEqual(new Set([0]));
});

test('the share of the second is exact, and its solutions stand at even distances', () => {
  const where = whereOf(planOf(ROOM));
  const firsts = (share: number): string =>
    Array.from({ length: 8 }, (_, row) => mixtureOf(where, { share, errs: 0 })!(1, row)[0]).join('');
  expect(firsts(0.25)).toBe('00010001');
  expect(firsts(0.5)).toBe('01010101');
  expect(firsts(0)).toBe('00000000');
  expect(firsts(1)).toBe('11111111');
});

test('a level without a way to its goal, or with too many states, has no solvers', () => {
  const where = whereOf(planOf({ 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.boxes': 4 }));
  expect(solversOf(where)).toBeNull();
  expect(mixtureOf(where, { share: 0.5, errs: 0 })).toBeNull();
});
