import { expect, test } from 'vitest';
import { coresFor, coresOfRun } from './coresFor.ts';

test('cores are called for work that pays for them, counted in products', () => {
  expect([0, 1_999_999, 4_000_000, 1e12].map((work) => coresFor(work, 8))).toEqual([1, 1, 2, 8]);
  const plan = { layout: { size: 8000 }, B: 32, T: 50, minibatches: 1 };
  // 1600 steps of three passes over 8000 parameters, and what is beside them
  expect(coresOfRun(plan, 64)).toBe(20);
  expect(coresOfRun(plan, 4)).toBe(4);
  expect(coresOfRun({ ...plan, B: 1, T: 10 }, 64)).toBe(1);
});
