import { expect, test } from 'vitest';
import type { KeptMark } from './database.ts';
import { firstMarksToGo } from './marks.ts';

const mark = (run: string, update: number, changedAt: number): KeptMark => ({
  ...{ run, update, changedAt },
  bytes: 1,
  reasons: [],
});

test('of several runs the one that was written longest ago goes first, but none that is open', () => {
  const marks = [mark('a', 1, 5), mark('a', 2, 9), mark('b', 1, 7), mark('c', 1, 1)];
  expect(firstMarksToGo(marks, new Set())).toBe('c');
  expect(firstMarksToGo(marks, new Set(['c']))).toBe('b');
  expect(firstMarksToGo(marks, new Set(['b', 'c']))).toBe('a');
  expect(firstMarksToGo(marks, new Set(['a', 'b', 'c']))).toBeNull();
  expect(firstMarksToGo([], new Set())).toBeNull();
});
