import { expect, test } from 'vitest';
import { groupsOf, matching, meant } from './commands.ts';
import { directionOf } from './directions.ts';

const names = ['go east', 'go south', 'take red key', 'take blue key', 'take lamp', 'look'];
const all = names.map(() => true);

test('first letters of the words find a command, words may be left out', () => {
  expect(matching('t r', names, all)).toEqual([2]);
  expect(matching('east', names, all)).toEqual([0]);
  expect(matching('key', names, all)).toEqual([2, 3]);
  expect(matching('jump', names, all)).toEqual([]);
});

test('possible commands come first, an exact name before all', () => {
  const possible = [true, true, false, true, true, true];
  expect(matching('take', names, possible)).toEqual([3, 4, 2]);
  expect(matching('look', [...names, 'look around'], all)).toEqual([5, 6]);
});

test('a line means a command only where it can be no other', () => {
  expect(meant('TAKE  lamp', names, all)).toBe(4);
  expect(meant('take', names, all)).toBe(-1);
  expect(meant('take k', names, [true, true, false, true, true, true])).toBe(3);
  expect(meant('', names, all)).toBe(-1);
});

test('commands are grouped by their first word', () => {
  expect(groupsOf(names)).toEqual([
    { verb: 'go', actions: [0, 1] },
    { verb: 'take', actions: [2, 3, 4] },
    { verb: '', actions: [5] },
  ]);
});

test('the ways of every family are known by their names', () => {
  expect(['right', 'go south', 'move left', 'north', 'turn left', 'take east', 'constructor'].map(directionOf)).toEqual(
    [0, 1, 2, 3, undefined, undefined, undefined],
  );
});
