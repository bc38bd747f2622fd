import { expect, test } from 'vitest';
import { CURVES } from '../../slots/metrics/metrics.ts';
import { MOST_NUMBERS, whyTooLong } from './curveLimit.ts';

test('a bundle takes the longest run of few seeds, and says why it does not take one of many', () => {
  expect(whyTooLong(20_000 * 8)).toBeNull();
  expect(whyTooLong(Math.floor(MOST_NUMBERS.run / CURVES))).toBeNull();
  const why = whyTooLong(20_000 * 64)!;
  expect(why).toMatch(/^the curves have \d+ million numbers, and a bundle takes 64 million; take metrics.csv instead/);
  expect(whyTooLong(20_000 * 64, 'sweep')).toMatch(/takes 128 million; select fewer runs$/);
});
