import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { backwardInduction, type Model } from '../core/dp.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { collectorOf, recorderOf, SHARE } from './conservative.ts';
import { makePlan, type Plan } from './plan.ts';

const planOf = (changes: Readonly<Record<string, unknown>>): Plan => must(makePlan(configWith(changes)));

/** One step decides: the first of two actions succeeds, the other fails. */
const COIN: Model = {
  ...{ states: 1, actions: 2, offset: Uint32Array.of(0, 1, 2), next: Int32Array.of(-1, -1) },
  ...{ probability: Float64Array.of(1, 1), reward: Float64Array.of(1, 0), success: Float64Array.of(1, 0) },
};

test('with one step and two actions the noise is 0.7: a wrong action at half of it leaves 0.65 of the best', () => {
  const collector = collectorOf(COIN, () => true, 1)!;
  expect(collector.noise).toBeCloseTo(0.7, 6);
  expect(collector.share).toBeCloseTo(SHARE, 6);
  expect(collector.best(0, 0)).toBe(0);
});

test('where chance alone does better it is chance alone, and where there is no goal nobody collects', () => {
  const easy = { ...COIN, success: Float64Array.of(1, 0.9) };
  expect(collectorOf(easy, () => true, 1)).toMatchObject({ noise: 1, share: 0.95 });
  expect(collectorOf({ ...COIN, success: Float64Array.of(0, 0) }, () => true, 1)).toBeNull();
  // an action that is not legal is never taken
  expect(collectorOf(COIN, (_, a) => a === 0, 1)).toMatchObject({ noise: 1, share: 1 });
});

test.each([
  { 'task.grid.level': 'keyDoor' },
  { 'task.grid.level': 'frozenLake4' },
  { 'task.method': 'textmaze', 'task.textmaze.level': 'threeRooms', 'task.textmaze.maskActions': true },
])('episodes are worth between 50 and 80 % of the best, failures among them: %o', (changes) => {
  const plan = planOf(changes);
  const { env, T } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const { model } = enumerate(env, level, 2000)!;
  const most = backwardInduction(model, null, T, 0.95, 'success').V[0]!;
  const record = recorderOf({ env, level, T })!;
  expect(record(3)).toEqual(record(3));
  const worth = Array.from({ length: 800 }, (_, seed) => {
    const state = new Uint32Array(env.words);
    const result = { reward: 0, flags: 0 };
    env.reset(level, state, 0);
    const path = record(seed);
    for (const action of path) {
      expect((env.legal(level, state, 0) >>> action) & 1).toBe(1);
      env.step(level, state, 0, { action, seed }, result);
    }
    return (result.flags & FLAG.success) === 0 ? 0 : 0.95 ** (path.length - 1);
  });
  expect(mean(worth) / most).toBeGreaterThan(0.5);
  expect(mean(worth) / most).toBeLessThan(0.8);
  expect(new Set(worth).size).toBeGreaterThan(1);
});
