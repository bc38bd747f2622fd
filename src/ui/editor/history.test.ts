import { expect, test } from 'vitest';
import { begin, change, redo, undo } from './history.ts';

test('undo and redo walk through all texts and stop at both ends', () => {
  const three = change(change(begin('a'), 'b'), 'c');
  expect([undo(three).now, undo(undo(three)).now, undo(undo(undo(three))).now]).toEqual(['b', 'a', 'a']);
  expect([redo(undo(three)).now, redo(three).now]).toEqual(['c', 'c']);
});

test('the cells of one stroke are undone together, two strokes one by one', () => {
  const painted = change(change(change(begin('a'), 'b', 'stroke 1'), 'c', 'stroke 1'), 'd', 'stroke 2');
  expect([undo(painted).now, undo(undo(painted)).now]).toEqual(['c', 'a']);
});

test('a change after undo forgets what came later; the same text is no change', () => {
  const other = change(undo(change(begin('a'), 'b')), 'x');
  expect([redo(other).now, other.future]).toEqual(['x', []]);
  expect(change(other, 'x')).toBe(other);
});
