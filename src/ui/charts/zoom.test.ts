import { expect, test } from 'vitest';
import { linesOf } from './picture.ts';
import { stepOf, wider } from './zoom.ts';

test('zooming keeps the middle, stays inside the run and never shows less than two updates', () => {
  expect(wider([40, 80], [0, 200], 0.5)).toEqual([50, 70]);
  expect(wider([40, 80], [0, 200], 2)).toEqual([20, 100]);
  expect(wider([0, 20], [0, 200], 2)).toEqual([0, 40]);
  expect(wider([150, 200], [0, 200], 2)).toEqual([100, 200]);
  expect(wider([50, 150], [0, 200], 8)).toEqual([0, 200]);
  expect(wider([50, 52], [0, 200], 0.5)).toEqual([50, 52]);
});

test('sliders take whole updates, larger ones in a long run', () => {
  expect([stepOf([0, 200]), stepOf([0, 20_000])]).toEqual([1, 50]);
});

test('a caption is broken between words', () => {
  expect(linesOf('one two three', 7)).toEqual(['one two', 'three']);
  expect(linesOf('incomprehensible word', 5)).toEqual(['incomprehensible', 'word']);
});
