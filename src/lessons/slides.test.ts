import { expect, test } from 'vitest';
import type { Block } from './format/blocks.ts';
import { slidesOf } from './slides.ts';

const say: Block = { say: 'words' };
const check: Block = { check: 'earlier' };
const terms: Block = { terms: ['r'] };

test('what is said stands with one thing to do or to look at', () => {
  expect(slidesOf([say, terms, check, check, say])).toEqual([[0, 1, 2], [3], [4]]);
  expect(slidesOf([check, say, say])).toEqual([[0], [1, 2]]);
  expect(slidesOf([])).toEqual([]);
});
