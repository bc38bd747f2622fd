import { expect, test } from 'vitest';
import type { CellView } from './layers.ts';
import { rangeOf } from './marks.ts';

const cells = (...values: readonly (readonly [entropy: number, change: number])[]): Map<number, CellView> =>
  new Map(values.map(([entropy, change], k) => [k, { entropy, change } as CellView]));

test('maps of entropy and of change have a range of their own, from the smallest to the largest value', () => {
  const map = cells([1.2, 0.001], [1.3, 0.0004], [1.35, 0.002]);
  expect(rangeOf(map, 'entropy')).toEqual([1.2, 1.35]);
  expect(rangeOf(map, 'change')).toEqual([0.0004, 0.002]);
});

test('values that are all alike do not become a difference', () => {
  const [low, high] = rangeOf(cells([1.386, 0], [1.386, 0]), 'entropy');
  expect([low, high > low]).toEqual([1.386, true]);
  expect(rangeOf(cells([0, 0]), 'change')).toEqual([0, 1e-6]);
  expect(rangeOf(cells(), 'entropy')).toEqual([0, 1e-3]);
});
