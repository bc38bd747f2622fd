import { expect, test } from 'vitest';
import type { Plan } from '../../plan.ts';
import type { CpuPolicy } from '../policy.ts';
import { playsOnOne } from './splits.ts';
import { coresFor, coresOfRun } from '../../../config/coresFor.ts';

test('rows are spread but where others would be needed for what they do', () => {
  const policy = {} as CpuPolicy;
  expect(playsOnOne({ policy }, policy)).toBe(null);
  expect(playsOnOne({ policy: {} as CpuPolicy }, policy)).toMatch(/^[A-Z].+restricts.+\.$/);
  expect(playsOnOne({ policy, shows: () => undefined }, policy)).toMatch(/^[A-Z].+remembered.+\.$/);
});

test('cores are called for work that pays for them, counted in products', () => {
  expect([0, 1_999_999, 4_000_000, 1e12].map((work) => coresFor(work, 8))).toEqual([1, 1, 2, 8]);
  const plan = { layout: { size: 8000 } as Plan['layout'], B: 32, T: 50, minibatches: 1 };
  // 1600 steps of three passes over 8000 parameters, and what is beside them
  expect(coresOfRun(plan, 64)).toBe(20);
  expect(coresOfRun(plan, 4)).toBe(4);
  expect(coresOfRun({ ...plan, B: 1, T: 10 }, 64)).toBe(1);
});
