import { expect, test } from 'vitest';
import { slotsOf } from './slots.ts';

const of = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }));

test('an estimator keeps its color when another one is taken out or put in before it', () => {
  const memory = new Map<string, number>();
  expect(slotsOf(of('gigpo', 'grpo', 'salt'), memory)).toEqual([0, 1, 2]);
  expect(slotsOf(of('grpo', 'salt'), memory)).toEqual([1, 2]);
  expect(slotsOf(of('rloo', 'grpo', 'salt'), memory)).toEqual([0, 1, 2]);
  expect(slotsOf(of('salt', 'gigpo'), memory)).toEqual([2, 0]);
});

test('no two that are shown together have the same color, also where one is there twice or two once shared it', () => {
  const memory = new Map<string, number>();
  slotsOf(of('gigpo', 'grpo'), memory);
  expect(slotsOf(of('gigpo', 'gigpo', 'grpo'), memory)).toEqual([0, 2, 1]);
  slotsOf(of('rloo'), memory);
  expect(memory.get('rloo')).toBe(0);
  expect(new Set(slotsOf(of('rloo', 'gigpo', 'grpo', 'gae'), memory)).size).toBe(4);
});
