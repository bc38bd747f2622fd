import { expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { trainingContext } from '../../contract/taskContext.ts';
import golden from '../fixtures/scalingInter.json' with { type: 'json' };
import { checkTaskCase } from './conformance.ts';
import { scalingInter, horizonAt, horizonsOf, stageOf } from './scalingInter.ts';

const world = { env: {} as never, T: 40, updates: 80, level: () => ({}) };
const at = (update: number) => ({
  ...trainingContext({ P: 3, G: 2, levels: 1, stages: 1, growEvery: 1 }, 1, update),
  world,
});

test.each(golden.cases)('the golden values of $name come out', (c) => {
  const checks = checkTaskCase(c, golden.tolerance);
  expect(checks).toHaveLength(1);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
});

test('a stage lasts Δ updates from update 0 on, and the last one for ever; by hand for Δ = 2 and 3, 5, 9', () => {
  const got = Array.from({ length: 8 }, (_, u) => horizonAt(u, 2, [3, 5, 9]));
  expect(got).toEqual([3, 3, 5, 5, 9, 9, 9, 9]);
  expect(horizonAt(1000, 7, [4])).toBe(4);
});

test('where nothing is said the limits are a half, three quarters and all of the usual one, a quarter of the updates each', () => {
  expect(horizonsOf([], 41)).toEqual([21, 31, 41]);
  expect(stageOf(0, 80)).toBe(20);
  expect(stageOf(0, 2)).toBe(1);
  expect(stageOf(7, 80)).toBe(7);
  const limits = [0, 19, 20, 39, 40, 79].map(
    (u) => scalingInter.next({}, at(u), defaultsOf(scalingInter.params))[2]!.maxSteps,
  );
  // 0: the usual limit, which then needs no level of its own
  expect(limits).toEqual([20, 20, 30, 30, 0, 0]);
});

test('a limit above the usual one is the usual one, levels and tries are those of an even draw', () => {
  const tasks = scalingInter.next({}, at(0), { every: 10, horizons: [60] });
  expect(tasks.map(({ maxSteps, tries, start }) => [maxSteps, tries, start])).toEqual(Array(3).fill([0, 2, 'initial']));
});

test('a falling list is refused with one that rises, and a first limit below the shortest way is said', () => {
  expect(scalingInter.refuses!({ every: 0, horizons: [5, 9, 9] })).toBeNull();
  expect(scalingInter.refuses!({ every: 0, horizons: [9, 5, 7] })).toMatchObject({
    setting: 'horizons',
    instead: [5, 7, 9],
  });
  const asked = { T: 40, levels: 1, shortest: () => 12 };
  expect(scalingInter.warns!({ every: 0, horizons: [11, 20] }, 4, asked)).toContain(
    '11 steps, and the shortest way has 12',
  );
  expect(scalingInter.warns!({ every: 0, horizons: [12, 20] }, 4, asked)).toBeNull();
  expect(scalingInter.warns!({ every: 0, horizons: [] }, 4, asked)).toBeNull();
  expect(scalingInter.warns!({ every: 0, horizons: [3] }, 4, { T: 40, levels: 1, shortest: () => null })).toBeNull();
});
