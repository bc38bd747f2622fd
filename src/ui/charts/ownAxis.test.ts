import { expect, test } from 'vitest';
import { needsOwnAxis } from './rows.ts';

test('a share beside what is paid gets an axis of its own where it would be flat, and else shares one', () => {
  const rows = (paid: number) => [
    { x: 0, iqm: 0, start: 0.25 },
    { x: 1, iqm: paid, start: 1 },
  ];
  expect(needsOwnAxis(rows(1.5), [0, 1])).toBe(false);
  expect(needsOwnAxis(rows(12), [0, 1])).toBe(true);
  // nothing is drawn beside it, or it has no bounds
  expect(needsOwnAxis([{ x: 0, iqm: 12 }], [0, 1])).toBe(false);
  expect(needsOwnAxis(rows(12), undefined)).toBe(false);
});
