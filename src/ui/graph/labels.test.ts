import { expect, test } from 'vitest';
import { placed, type Label } from './labels.ts';

const at = (x: number, y: number, isFirst = false): Label => ({ x, y, width: 40, height: 10, isFirst });

test('of two words that would collide the earlier one is drawn, and words beside each other both are', () => {
  expect([...placed([at(0, 0), at(30, 5), at(0, 12), at(45, 0)], [])]).toEqual([1, 0, 1, 1]);
});

test('what is chosen is told first, whatever else is there', () => {
  expect([...placed([at(0, 0), at(10, 0, true)], [])]).toEqual([0, 1]);
});

test('no word covers a state, and what has no word takes no room', () => {
  expect([...placed([at(0, 0), null, at(100, 0)], [{ x: 10, y: 0, r: 8 }])]).toEqual([0, 0, 1]);
});

test('no two drawn words of a crowded picture meet', () => {
  const labels = Array.from({ length: 300 }, (_, k) => at((k * 37) % 400, (k * 23) % 150));
  const drawn = labels.filter((_, k) => placed(labels, [])[k] === 1);
  expect(drawn.length).toBeGreaterThan(20);
  for (const a of drawn)
    for (const b of drawn)
      if (a !== b)
        expect(Math.abs(a.x - b.x) >= 40 || Math.abs(a.y - b.y) >= 10, `${a.x} ${a.y} and ${b.x} ${b.y}`).toBe(true);
});
