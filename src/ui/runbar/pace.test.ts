import { expect, test } from 'vitest';
import { PACES, paceAt, paceWords, PLACES, placeOf } from './pace.ts';

test('the slider goes from step by step to full speed, and every pace with a name has a place of its own', () => {
  const all = Array.from({ length: PLACES + 1 }, (_, k) => paceAt(k));
  expect(all[0]).toBe(0);
  expect(all[1]).toBe(1);
  expect(all.at(-2)).toBe(60);
  expect(all.at(-1)).toBeNull();
  const speeds = all.slice(1, -1) as number[];
  expect(speeds.every((speed, k) => k === 0 || speed >= speeds[k - 1]!)).toBe(true);
  expect(new Set(PACES.map(({ perSecond }) => placeOf(perSecond))).size).toBe(PACES.length);
});

test('a place that is read back is the same place', () => {
  for (let place = 0; place <= PLACES; place++) expect(paceAt(placeOf(paceAt(place)))).toBe(paceAt(place));
});

test('a pace is said in words', () => {
  expect([0, 1, 13, null].map(paceWords)).toEqual([
    'step by step',
    '1 update per second',
    'at most 13 updates per second',
    'full speed',
  ]);
});
