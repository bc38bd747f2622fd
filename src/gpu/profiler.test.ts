import { expect, test } from 'vitest';
import { roundedToUs } from './profiler.ts';

test.each([
  [[0, 65_536, 131_072, 0], 65.536],
  [[100_000, 0, 300_000], 100],
  [[0, 0, 0], 65.536],
  [[65_536 * 3_125 * 2], 65.536],
])('differences of %j ns are those of a clock rounded to %f µs', (differences, step) => {
  expect(roundedToUs(differences)).toBe(step);
});

test.each([[[0, 65_536, 131_073]], [[100_000, 65_536]], [[1_000, 2_000, 80]], [[]]])(
  'differences of %j ns are those of a clock that can be used',
  (differences) => {
    expect(roundedToUs(differences)).toBeNull();
  },
);
