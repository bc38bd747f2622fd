import { expect, test } from 'vitest';
import { paceOf, timeWords } from './paceOf.ts';

test('the pace is a mean, without the one update that took more than twice as long as any other', () => {
  expect(paceOf([1, 1, 1, 5])).toBe(1);
  expect(paceOf([1, 1, 4, 5])).toBe(2.75);
});

test('a time in words is off by half a unit of nine at most, from nine seconds on', () => {
  const units = { s: 1, min: 60, h: 3600 };
  for (let seconds = 9; seconds < 1e6; seconds *= 1.01) {
    const [number, unit] = timeWords(seconds).split(' ') as [string, 's' | 'min' | 'h'];
    expect(Math.abs((Number(number) * units[unit]) / seconds - 1)).toBeLessThan(0.06);
  }
});
