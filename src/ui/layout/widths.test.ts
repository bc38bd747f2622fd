import { expect, test } from 'vitest';
import { fitWidth, LEAST, widthAfter } from './widths.ts';

test('arrows move the bar: the form grows to the right, the curves to the left', () => {
  expect(widthAfter('ArrowRight', 320, 'setup', 1440)).toBe(344);
  expect(widthAfter('ArrowLeft', 320, 'setup', 1440)).toBe(296);
  expect(widthAfter('ArrowRight', 400, 'charts', 1440)).toBe(376);
  expect(widthAfter('ArrowLeft', 400, 'charts', 1440)).toBe(424);
});

test('a column keeps a least width and never takes more than half of the window', () => {
  expect(widthAfter('Home', 320, 'setup', 1440)).toBe(LEAST);
  expect(widthAfter('End', 320, 'charts', 1440)).toBe(720);
  expect(fitWidth(10, 1440)).toBe(LEAST);
  expect(fitWidth(9999, 1000)).toBe(500);
  expect(fitWidth(9999, 300)).toBe(LEAST);
});

test('Enter gives back the usual width, and other keys are left alone', () => {
  expect(widthAfter('Enter', 400, 'setup', 1440)).toBeNull();
  expect(widthAfter('a', 400, 'setup', 1440)).toBeUndefined();
});
