import { expect, test } from 'vitest';
import { compassBits, compassWords, pointOf } from './compass.ts';

test('a place three columns to the right and one row up: an axis, then east, east, east-northeast', () => {
  const way = { dx: 3, dy: -1 };
  expect([0, 1, 2, 3].map((precision) => compassWords(compassBits(way, precision), precision))).toEqual([
    ...['east or west', 'east', 'east', 'east-northeast'],
  ]);
  // bits 0 of 2, 0 of 4, 0 of 8 and 1 of 16, one group after the other
  expect(compassBits(way, 3)).toBe(1 | (1 << 2) | (1 << 6) | (1 << 15));
  expect(compassBits(way, 1)).toBe(1 | (1 << 2));
});

test('every point is the nearest one by angle, and half a turn away is half of the points away', () => {
  const names = ['east', 'northeast', 'north', 'northwest', 'west', 'southwest', 'south', 'southeast'];
  for (let dx = -9; dx <= 9; dx++)
    for (let dy = -9; dy <= 9; dy++) {
      if (dx === 0 && dy === 0) continue;
      const angle = Math.atan2(-dy, dx) / (2 * Math.PI);
      for (const [precision, points] of [4, 8, 16].entries()) {
        const point = pointOf({ dx, dy }, precision + 1);
        const off = angle * points - point;
        // a whole number of turns and at most half a point
        expect(Math.abs(off - points * Math.round(off / points))).toBeLessThan(0.5 + 1e-9);
        expect(pointOf({ dx: -dx, dy: -dy }, precision + 1)).toBe((point + points / 2) % points);
      }
      expect(names).toContain(compassWords(compassBits({ dx, dy }, 2), 2));
    }
});

test('where one is already there is no direction', () => {
  expect(compassBits({ dx: 0, dy: 0 }, 3)).toBe(0);
  expect(compassWords(0, 3)).toBe('');
});
