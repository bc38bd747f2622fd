import { expect, test } from 'vitest';
import { looksFrom, NORMAL, perSecondOf, SLOW } from './looks.ts';

const first = { pace: NORMAL, isCreditOpen: false, setupWidth: null, chartsWidth: null };

test('a first visit trains 200 updates in about 15 seconds', () => {
  const { pace } = looksFrom(null);
  expect(200 / pace!).toBeGreaterThan(14);
  expect(200 / pace!).toBeLessThan(16);
});

test('what is kept comes back, and full speed is null', () => {
  const own = { pace: null, isCreditOpen: true, setupWidth: 400, chartsWidth: 500 };
  expect(looksFrom(JSON.stringify(own))).toEqual(own);
});

test.each([
  '',
  '{',
  '7',
  'null',
  '[]',
  '{"pace":"fast","isCreditOpen":1,"setupWidth":-3,"__proto__":{"chartsWidth":5}}',
])('what somebody else has written there is left out: %s', (text) => {
  expect(looksFrom(text)).toEqual(first);
});

test('one thing that is wrong does not take the others away', () => {
  expect(looksFrom('{"pace":1e9,"chartsWidth":444}')).toEqual({ ...first, chartsWidth: 444 });
});

test('at the normal pace a run of up to 200 updates takes about 15 seconds, very short ones less', () => {
  expect(90 / perSecondOf(NORMAL, 90)!).toBe(15);
  expect([200, 20_000].map((updates) => perSecondOf(NORMAL, updates))).toEqual([NORMAL, NORMAL]);
  expect(perSecondOf(NORMAL, 10)).toBe(SLOW);
  expect([null, 0, 30].map((pace) => perSecondOf(pace, 10))).toEqual([null, 0, 30]);
});
