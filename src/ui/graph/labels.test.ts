import { expect, test } from 'vitest';
import { boxAround, placed, type Label, type Place } from './labels.ts';

const LETTERS = { width: 10, height: 10 };
const NOTHING = { blocks: [], points: [] };
const place = (x: number, y: number): Place => ({ x, y, words: 'word' });
const at = (x: number, y: number, isFirst = false): Label => ({ places: [place(x, y)], isFirst });
const isDrawn = (labels: readonly (Label | null)[], drawn: Parameters<typeof placed>[2] = NOTHING): number[] =>
  placed(labels, LETTERS, drawn).map((found) => (found ? 1 : 0));

test('of two words that would collide the earlier one is drawn, and words beside each other both are', () => {
  expect(isDrawn([at(0, 0), at(30, 5), at(0, 12), at(45, 0)])).toEqual([1, 0, 1, 1]);
});

test('what is chosen is told first, whatever else is there', () => {
  expect(isDrawn([at(0, 0), at(10, 0, true)])).toEqual([0, 1]);
  expect(isDrawn([at(0, 0, true)], { blocks: [boxAround(0, 0, 8, 8)], points: [] })).toEqual([1]);
});

test('no word covers a state, and what has no word takes no room', () => {
  const blocks = [boxAround(10, 0, 16, 16)];
  expect(isDrawn([at(0, 0), null, at(100, 0)], { blocks, points: [] })).toEqual([0, 0, 1]);
});

test('a word goes to its next place where the first one is taken', () => {
  const second = { places: [place(10, 0), place(10, 20)], isFirst: false };
  expect(placed([at(0, 0), second], LETTERS, NOTHING)[1]).toEqual(place(10, 20));
});

test('of its free places a word takes the one that covers the least of the lines, and covers one where all do', () => {
  const label = { places: [place(0, 0), place(0, 20)], isFirst: false };
  const through = (y: number): readonly (readonly [number, number])[] => [-8, 0, 8].map((x) => [x, y]);
  expect(placed([label], LETTERS, { blocks: [], points: through(0) })[0]).toEqual(place(0, 20));
  const both = [...through(0), [0, 20] as const];
  expect(placed([label], LETTERS, { blocks: [], points: both })[0]).toEqual(place(0, 20));
});

test('no two drawn words of a crowded picture meet', () => {
  const labels = Array.from({ length: 300 }, (_, k) => at((k * 37) % 400, (k * 23) % 150));
  const drawn = placed(labels, LETTERS, NOTHING).filter((found) => found !== null);
  expect(drawn.length).toBeGreaterThan(20);
  for (const a of drawn)
    for (const b of drawn)
      if (a !== b)
        expect(Math.abs(a.x - b.x) >= 40 || Math.abs(a.y - b.y) >= 10, `${a.x} ${a.y} and ${b.x} ${b.y}`).toBe(true);
});
