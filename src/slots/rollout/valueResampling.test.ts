import { expect, test } from 'vitest';
import type { RowContext, RowsSeen } from './types.ts';
import { taskValue, valueResampling } from './valueResampling.ts';

const params = { filter: 'outcome' } as never;
const seenOf = (taskIndex: number[], success: number[]): RowsSeen =>
  ({ count: success.length, taskIndex, success, outcome: success }) as unknown as RowsSeen;
const context = (u: number): RowContext => ({ P: 3, draw: () => u }) as unknown as RowContext;

test('a task is worth most where success is rare and few episodes are known', () => {
  expect(taskValue(0.5, 4)).toBeCloseTo(0.5 * 0.25 * 1.5, 12);
  expect([taskValue(0, 4), taskValue(1, 4)]).toEqual([0, 0]);
  expect(taskValue(0.5, 1)).toBeGreaterThan(taskValue(0.5, 100));
});

test('episodes of groups that agree join mixed ones, in one round', () => {
  const seen = seenOf([0, 0, 1, 1, 2, 2], [1, 1, 0, 1, 0, 0]);
  const rows = valueResampling.round!(seen, context(0.5), params, 1);
  expect(rows).toEqual([1, 1, 1, 1].map((task) => ({ task })));
  expect(valueResampling.round!(seen, context(0.5), params, 2)).toEqual([]);
  const played = seenOf([1, 1, 1, 1], [1, 0, 0, 0]);
  expect(valueResampling.take!(seen, played, context(0), params, 1)).toEqual([
    { row: 0, from: 0, task: 1 },
    { row: 1, from: 1, task: 1 },
    { row: 4, from: 2, task: 1 },
    { row: 5, from: 3, task: 1 },
  ]);
});

test('with two mixed tasks the draw decides; with none nothing is played', () => {
  const seen = seenOf([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 0]);
  const tasks = (u: number) => valueResampling.round!(seen, context(u), params, 1).map(({ task }) => task);
  expect(tasks(0.1)).toEqual([0, 0]);
  expect(tasks(0.9)).toEqual([1, 1]);
  expect(valueResampling.round!(seenOf([0, 0, 1, 1], [0, 0, 1, 1]), context(0.5), params, 1)).toEqual([]);
});
