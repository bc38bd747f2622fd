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

test('states in which nothing that is chosen points anywhere have no arrows, and the words say so', () => {
  const [still, moving] = [{ arrows: new Float32Array(4) }, { arrows: Float32Array.of(0, 0.5, 0, 0) }];
  expect(howToRead('policy', 'without a key', null, [still])).toBe(
    'No arrows: what is chosen in these states (without a key) has no direction on the map.',
  );
  expect(howToRead('policy', '', null, [still, moving])).toBe(howToRead('policy', ''));
  expect(howToRead('entropy', '', null, [still])).toBe(howToRead('entropy', ''));
});
