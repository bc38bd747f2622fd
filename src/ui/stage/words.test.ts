import { expect, test } from 'vitest';
import { howToRead } from './words.ts';

const ages = (...units: number[]) => ({ bound: 3, units: Float64Array.from(units) });

test('a map of old data says whose weights it shows', () => {
  expect(howToRead('policy', '')).toBe('Arrows: what the agent tends to do in each cell; the longer, the more likely.');
  expect(howToRead('policy', '', ages(9, 0, 0, 0, 0))).toBe(howToRead('policy', ''));
  expect(howToRead('entropy', '', ages(0, 0, 0, 9, 0))).toContain('the old weights that played this batch');
  expect(howToRead('change', '', ages(1, 0, 0, 9, 0))).toContain('these are the newest');
  expect(howToRead('visits', '', ages(1, 0, 0, 9, 0))).toBe(howToRead('visits', ''));
});
