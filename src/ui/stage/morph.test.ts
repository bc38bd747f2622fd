import { expect, test } from 'vitest';
import type { CellView } from './layers.ts';
import { Morph, MORPH_MS } from './morph.ts';

const cells = (east: number, visits = 1): ReadonlyMap<number, CellView> =>
  new Map([
    [
      3,
      { rows: [0], visits, credit: 0, reward: 0, entropy: 0, change: 0, arrows: Float32Array.of(east, 1 - east, 0, 0) },
    ],
  ]);
const east = (morph: Morph, now: number): number => morph.at(now)!.get(3)!.arrows[0]!;

test('arrows go from frame to frame without a jump, also when the next frame comes early', () => {
  const morph = new Morph();
  morph.aim(cells(0), false, 0);
  expect([east(morph, 0), morph.isOver(0)]).toEqual([0, true]);
  morph.aim(cells(1), false, 0);
  expect(east(morph, MORPH_MS / 2)).toBe(0.5);
  morph.aim(cells(0), false, MORPH_MS / 2);
  expect(east(morph, MORPH_MS / 2)).toBe(0.5);
  expect(east(morph, MORPH_MS)).toBe(0.25);
  expect(morph.isOver(MORPH_MS)).toBe(false);
  expect(east(morph, 1.5 * MORPH_MS)).toBe(0);
  expect(morph.isOver(1.5 * MORPH_MS)).toBe(true);
});

test('whoever wants no motion sees the new arrows at once', () => {
  const morph = new Morph();
  morph.aim(cells(0), true, 0);
  morph.aim(cells(1), true, 1);
  expect([east(morph, 1), morph.isOver(1)]).toEqual([1, true]);
});

test('numbers are never those of no frame: only arrows are in between', () => {
  const morph = new Morph();
  morph.aim(cells(0, 10), false, 0);
  morph.aim(cells(1, 20), false, 0);
  expect(morph.at(MORPH_MS / 2)!.get(3)!.visits).toBe(20);
});
