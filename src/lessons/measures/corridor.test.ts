import { expect, test } from 'vitest';
import { coinChance } from './corridor.ts';
import { silentChance } from '../../core/math/budget.ts';

test.each([
  [4, 0.4128],
  [8, 0.1717],
  [12, 0.0759],
  [16, 0.0346],
  [24, 0.00757],
  [32, 0.00172],
  [40, 0.000402],
  [48, 0.0000953],
])('a coin walks a corridor of %i with probability %f, as the specification has it', (n, expected) => {
  expect(Math.abs(coinChance(n) / expected - 1)).toBeLessThan(3e-3);
});

test('by hand: two cells in two steps, and three in three', () => {
  expect(coinChance(2, 2)).toBe(1 / 4);
  expect(coinChance(3, 3)).toBe(1 / 8);
  // one step to the left stays, and one step is lost
  expect(coinChance(1, 2)).toBe(3 / 4);
  expect(() => coinChance(2.5)).toThrow('whole number');
});

test('groups of eight are silent with the chances of the specification', () => {
  const chances = [0.5, 0.1, 0.05, 0.01].map((p) => Number(silentChance(p, 8).toFixed(4)));
  expect(chances).toEqual([0.0078, 0.4305, 0.6634, 0.9227]);
});
