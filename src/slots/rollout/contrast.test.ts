import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, contrastOf } from './contrast.ts';
import type { RowContext, RowsSeen } from './types.ts';

const first = (k: number): number => k / 10;

test('by hand: the best and shortest, and the worst and longest', () => {
  expect(contrastOf([1, 0, 1, 0, 0, 1], [9, 5, 3, 8, 8, 4], 4, first)).toEqual([2, 5, 3, 4]);
  // one more of the best where the number is odd
  expect(contrastOf([1, 0, 1, 0], [2, 2, 1, 3], 3, first)).toEqual([2, 0, 3]);
  // where all agree chance decides
  expect(contrastOf([0, 0, 0], [4, 4, 4], 2, (k) => 1 - k / 10)).toEqual([2, 0]);
});

test('as many stay as asked for, each once, and no episode that is left out is better than the best half', () => {
  const episodes = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 9 })), { minLength: 1 });
  fc.assert(
    fc.property(episodes, fc.integer({ min: 1, max: 9 }), (list, most) => {
      const K = Math.min(most, list.length);
      const [R, n] = [list.map(([r]) => r), list.map(([, t]) => t)];
      const kept = contrastOf(R, n, K, first);
      expect(new Set(kept).size).toBe(K);
      const best = kept.slice(0, Math.ceil(K / 2)).map((k) => R[k]!);
      const agrees = list.every(([r, t]) => r === R[0] && t === n[0]);
      if (!agrees) expect(Math.min(...best)).toBe([...R].sort((a, b) => b - a)[best.length - 1]);
    }),
  );
});

test('episodes that do not train still count in the statistics of their group, or not at all', () => {
  const seen = {
    count: 4,
    taskIndex: [0, 0, 0, 0],
    outcome: [1, 0, 1, 0],
    length: [3, 4, 5, 6],
  } as unknown as RowsSeen;
  const context = { draw: () => 0 } as unknown as RowContext;
  const marks = (statistics: string) => contrast.settle!(seen, context, { share: 0.5, statistics } as never);
  expect(marks('all').map(({ trains }) => trains)).toEqual([true, false, false, true]);
  expect(marks('all').every(({ measured }) => measured)).toBe(true);
  expect(marks('kept').map(({ measured }) => measured)).toEqual([true, false, false, true]);
});
