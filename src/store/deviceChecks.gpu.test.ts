import { expect, test } from 'vitest';
import { differenceOf, keepDifference } from './deviceChecks.ts';

const [CARD, OTHER] = ['a card of the test', 'another card of the test'];

test('what a check found is kept by adapter, until a check finds nothing or the lab is another version', async () => {
  expect(await differenceOf(CARD)).toBeNull();
  expect(await keepDifference(CARD, 'gradNorm differs.')).toBe(true);
  await keepDifference(OTHER, 'random differs.');
  expect(await differenceOf(CARD)).toBe('gradNorm differs.');
  expect(await differenceOf(CARD, 'another version')).toBeNull();
  await keepDifference(CARD, null);
  expect(await differenceOf(CARD)).toBeNull();
  expect(await differenceOf(OTHER)).toBe('random differs.');
  await keepDifference(OTHER, null);
});
