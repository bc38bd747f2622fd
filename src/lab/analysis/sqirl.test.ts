import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { backwardInduction, type Model } from '../../core/dp.ts';
import { must } from '../../core/problem.ts';
import { makePlan } from '../../engine/plan.ts';
import { enumerate } from '../../envs/enumerate.ts';
import { horizonOf, type Horizon } from './horizon.ts';
import { returnOf, sqirl, sqirlSteps } from './sqirl.ts';

function levelOf(changes: Readonly<Record<string, unknown>>): { model: Model; T: number; best: number } {
  const { env, level, firstLevelSeed } = must(makePlan(configWith(changes)));
  const first = level(firstLevelSeed);
  const { model } = enumerate(env, first, 20_000)!;
  const T = env.maxSteps(first);
  return { model, T, best: backwardInduction(model, null, T).V[0]! };
}

const CORRIDOR = { 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 8 };

test('in a short corridor a table finds the goal by greed on what random play was paid', () => {
  const { model, T, best } = levelOf(CORRIDOR);
  const found = sqirl(model, T, { k: 1, m: 128, seed: 1 });
  expect(returnOf(model, T, found)).toBe(best);
  expect(sqirl(model, T, { k: 1, m: 128, seed: 1 })).toEqual(found);
  // at most T steps an episode, m episodes a step
  expect(found.steps).toBeLessThanOrEqual(T * T * 128);
});

test('where slips have results of their own it is trained by what happens and judged by expectation', () => {
  const { model, T, best } = levelOf({
    ...CORRIDOR,
    'task.grid.slip': [1, 8, 1],
    'task.grid.level': 'empty',
    'task.grid.n': 3,
  });
  const found = sqirl(model, T, { k: 2, m: 500, seed: 3 });
  expect(returnOf(model, T, found)).toBeGreaterThan(0.95 * best);
  expect(returnOf(model, T, found)).toBeLessThanOrEqual(best + 1e-12);
});

test('what misleads random play misleads it too: with fewer backups than k* no number of episodes is enough', () => {
  // action 0 pays 1/2 and ends; the others lead on, where one of three actions pays 1
  const model: Model = {
    ...{ states: 2, actions: 3, offset: Uint32Array.from([0, 1, 2, 3, 4, 5, 6]), success: new Float64Array(6) },
    ...{ next: Int32Array.from([-1, 1, 1, -1, -1, -1]), probability: new Float64Array(6).fill(1) },
    reward: Float64Array.from([0.5, 0, 0, 1, 0, 0]),
  };
  expect((horizonOf(model, 2) as Horizon).k).toBe(2);
  const returns = (k: number): number[] =>
    [1, 2, 3].map((seed) => returnOf(model, 2, sqirl(model, 2, { k, m: 300, seed })));
  expect(returns(1)).toEqual([0.5, 0.5, 0.5]);
  expect(returns(2)).toEqual([1, 1, 1]);
});

test('its steps are those of half of the runs that succeed', () => {
  const { model, T, best } = levelOf(CORRIDOR);
  const { m, steps } = sqirlSteps(model, T, 1, best)!;
  expect(m).toBeGreaterThan(1);
  expect(steps).toBeGreaterThan(m * T);
  expect(steps).toBeLessThanOrEqual(m * T * T);
});
