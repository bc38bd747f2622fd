import { expect, test } from 'vitest';
import { laneOf, LANES, thoughtWords } from './thoughts.ts';

test('a step is in the lane of its tag, a refused one in the last, and one without a thought in none', () => {
  const lane = (tag: number, isRefused = false): string | undefined => LANES[laneOf({ tag, isRefused })];
  expect([lane(0), lane(1), lane(2), lane(3), lane(4)]).toEqual([
    undefined,
    ...['plan', 'explore', 'reflect', 'monitor'],
  ]);
  expect([lane(0, true), lane(3, true)]).toEqual(['refused', 'refused']);
});

test('a thought is said in words', () => {
  expect(thoughtWords(0, { tag: 1, isRefused: false })).toBe('Step 1: plan');
  expect(thoughtWords(4, { tag: 3, isRefused: true })).toBe('Step 5: reflect, refused, so the tag is lost');
  expect(thoughtWords(4, { tag: 0, isRefused: true })).toBe('Step 5: no thought, refused');
});
