import { expect, test } from 'vitest';
import { fewestSteps } from '../core/dp.ts';
import { enumerate, type Enumeration } from '../envs/enumerate.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { pathsOf } from './pathsOf.ts';
import { makePlan } from './plan.ts';

function statesOf(changes: Record<string, unknown>): Enumeration {
  const plan = must(makePlan(configWith(changes)));
  return enumerate(plan.env, plan.level(1), 4000)!;
}

test('a corridor of twelve steps takes twelve; the key and the door of the other level lie on its way', () => {
  expect(fewestSteps(statesOf({ 'task.grid.level': 'corridor', 'task.grid.n': 12 }).model, 0)).toBe(12);
  expect(fewestSteps(statesOf({ 'task.grid.level': 'keyDoor' }).model, 0)).toBe(8);
  // where nothing pays there is no way
  const { model } = statesOf({ 'task.grid.level': 'corridor' });
  expect(fewestSteps({ ...model, success: new Float64Array(model.success.length) }, 0)).toBeNull();
});

test('SPL counts a detour in part and a failure not at all; a level that is not known leaves it open', () => {
  const known = new Map([[7, { all: statesOf({ 'task.grid.level': 'corridor', 'task.grid.n': 12 }) }]]);
  const batch = { success: Uint32Array.of(1, 1, 0, 1), length: Uint32Array.of(12, 24, 30, 12) };
  const seeds = [7, 7, 7, 8];
  const found = pathsOf(batch, [0, 1, 2], seeds, known);
  expect(found.spl).toBeCloseTo(1.5 / 3, 12);
  expect(found.excessSteps).toBe(6);
  expect(pathsOf(batch, [2], seeds, known)).toEqual({ spl: 0, excessSteps: null });
  expect(pathsOf(batch, [0, 3], seeds, known)).toEqual({ spl: null, excessSteps: null });
});
