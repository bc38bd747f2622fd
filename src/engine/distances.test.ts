import { expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { configWith } from '../config/schema.ts';
import { makePlan } from './plan.ts';
import { distancesOf, startAt } from '../envs/distances.ts';
import { enumerate, fewestStepsWithin } from '../envs/enumerate.ts';
import type { Environment } from '../envs/types.ts';

const LEVELS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['key and door', { 'task.grid.level': 'keyDoor' }],
  ['slippery lake', { 'task.grid.level': 'frozenLake4' }],
  ['two boxes', { 'task.method': 'sokoban', 'task.sokoban.level': 'reverse', 'task.sokoban.boxes': 2 }],
  [
    'locked rooms',
    { 'task.method': 'textmaze', 'task.textmaze.level': 'tree', 'task.textmaze.rooms': 6, 'task.textmaze.chain': 2 },
  ],
];

/** The same world where a level begins in a saved state. */
const begunAt = (env: Environment, words: ArrayLike<number>): Environment => ({
  ...env,
  reset: (_level, state, at) => state.set(words, at),
});

test.each(LEVELS)('distances of %s are those of a search from every state', (_name, changes) => {
  const { env, level, firstLevelSeed } = must(makePlan(configWith(changes)));
  const parsed = level(firstLevelSeed) as object;
  const from = distancesOf(env, parsed)!;
  expect(from.isWhole).toBe(true);
  expect(from.best).toBe(fewestStepsWithin(env, parsed, 1e5).steps);
  expect([from.toGoal[0], from.fromStart[0]]).toEqual([from.best, 0]);
  const all = enumerate(env, parsed, 1e5)!;
  expect(new Set(from.states.map((state) => all.rowOf(state, 0))).size).toBe(from.states.length);
  for (let k = 0; k < from.states.length; k += Math.ceil(from.states.length / 12)) {
    const { steps } = fewestStepsWithin(begunAt(env, from.states[k]!), parsed, 1e5);
    expect(from.toGoal[k]).toBe(steps);
  }
  // what is left out is lost: no way leads from there to the goal
  const kept = new Set(from.states.map((state) => all.rowOf(state, 0)));
  for (let s = 0; s < all.model.states; s += Math.ceil(all.model.states / 12)) {
    const words = all.states.subarray(s * env.words, (s + 1) * env.words);
    if (!kept.has(s)) expect(fewestStepsWithin(begunAt(env, words), parsed, 1e5).steps).toBeNull();
  }
});

test('with too many states the states of a shortest path are what is known', () => {
  const { env, level, firstLevelSeed } = must(makePlan(configWith({ 'task.grid.level': 'keyDoor' })));
  const parsed = { ...(level(firstLevelSeed) as object) };
  const from = distancesOf(env, parsed, 3)!;
  expect(from.isWhole).toBe(false);
  expect(from.states).toHaveLength(from.best);
  from.states.forEach((state, k) =>
    expect(fewestStepsWithin(begunAt(env, state), parsed, 1e5).steps).toBe(from.best - k),
  );
});

test('a start has used up the steps of the way to it, keeps at least four, and is none where the goal is farther', () => {
  const { env, level, firstLevelSeed } = must(makePlan(configWith({ 'task.grid.level': 'keyDoor' })));
  const from = distancesOf(env, level(firstLevelSeed) as object)!;
  const k = from.fromStart.findIndex((d) => d === 6);
  expect(startAt(from, k, 30)!.at(-1)).toBe(6);
  expect(startAt(from, k, 30)!.slice(0, -1)).toEqual([...from.states[k]!.subarray(0, -1)]);
  const near = from.toGoal.findIndex((d) => d === 2);
  expect(startAt(from, near, 10)!.at(-1)).toBe(6);
  const far = from.toGoal.indexOf(from.best);
  expect(startAt(from, far, from.best - 1)).toBeNull();
});
