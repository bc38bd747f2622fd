import { expect, test } from 'vitest';
import { unexpectedProblem } from './unexpected.ts';

test('a file that did not come is told from an error, in the words of every browser', () => {
  for (const words of [
    'Failed to fetch dynamically imported module: https://lab.example/assets/link-1.js',
    'error loading dynamically imported module: https://lab.example/assets/link-1.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /assets/style-1.css',
  ])
    expect(unexpectedProblem(new TypeError(words))).toEqual({ kind: 'partMissing' });
});

test('any other error is told with its own words, cut where they are long, and whatever was thrown', () => {
  expect(unexpectedProblem(new Error('Why not?'))).toEqual({ kind: 'unexpected', message: 'Why not?' });
  expect(unexpectedProblem('words')).toEqual({ kind: 'unexpected', message: 'words' });
  expect(unexpectedProblem(undefined)).toEqual({ kind: 'unexpected', message: 'undefined' });
  expect(unexpectedProblem(new Error('x'.repeat(999)))).toEqual({ kind: 'unexpected', message: 'x'.repeat(200) });
});

test('what browsers say about one more frame is no trouble', () => {
  expect(unexpectedProblem('ResizeObserver loop completed with undelivered notifications.')).toBeNull();
});
