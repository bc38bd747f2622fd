import { expect, test } from 'vitest';
import { prepareTask } from '../../../config/level.ts';
import { presetById, presetConfig } from '../../../config/presets.ts';
import { must } from '../../../core/problem.ts';
import { makePlan, type Plan } from '../../plan.ts';
import { coresFor, coresOfRun } from '../../../config/coresFor.ts';
import { playsOnOne } from './splits.ts';

test.each([
  ['key-door', null],
  ['old-data-ppo', null],
  ['maze-arpo', null],
  ['key-library', 'The rollout writes into states what it remembers.'],
])('whether rows of %s are spread, and why not', async (id, why) => {
  const config = presetConfig(presetById(id)!);
  await prepareTask(config);
  expect(playsOnOne(must(makePlan(config)))).toBe(why);
});

test('cores are called for work that pays for them, counted in products', () => {
  expect([0, 1_999_999, 4_000_000, 1e12].map((work) => coresFor(work, 8))).toEqual([1, 1, 2, 8]);
  const plan = { layout: { size: 8000 } as Plan['layout'], B: 32, T: 50, minibatches: 1 };
  // 1600 steps of three passes over 8000 parameters, and what is beside them
  expect(coresOfRun(plan, 64)).toBe(20);
  expect(coresOfRun(plan, 4)).toBe(4);
  expect(coresOfRun({ ...plan, B: 1, T: 10 }, 64)).toBe(1);
});
