import { expect, test } from 'vitest';
import type { Scene, SceneCell } from '../../envs/types.ts';
import { aimOf, changeOf, pushesOf, whyNot } from './events.ts';

const board = (cells: readonly SceneCell[], agent: number, more: Partial<Scene> = {}): Scene => ({
  width: cells.length,
  height: 1,
  cells,
  holding: [],
  agent: { cell: agent, direction: null },
  ...more,
});
const floor = { ground: 'floor' };
const box = { ground: 'floor', item: 'box' };
const home = { ground: 'target', item: 'box' };
const target = { ground: 'target' };

test('the aim is read off the drawing', () => {
  expect(aimOf(board([floor, box, target], 0))).toMatch(/^Push every box/);
  expect(aimOf(board([floor, { ground: 'floor', item: 'key', color: 0 }, { ground: 'floor', item: 'exit' }], 0))).toBe(
    'A key opens the doors of its color. Take every key, then walk to the exit.',
  );
  expect(aimOf(board([floor], 0, { said: ['you are in hall .', 'goal take lamp .'] }))).toBe('Your task: Take lamp.');
});

test('a key, a door and a box that arrives or leaves are news, a plain step is none', () => {
  const plain = board([floor, box, target], 0);
  expect(changeOf(plain, board([floor, floor, home], 1))).toBe('A box is on its target, 1 of 1');
  expect(changeOf(board([floor, floor, home], 1), plain)).toBe('A box has left its target, 0 of 1 left');
  expect(changeOf(plain, { ...plain, holding: ['red key'] })).toBe('You have the red key');
  expect(changeOf(plain, { ...plain, agent: { cell: 1, direction: null } })).toBeNull();
  const corner = board([floor, floor, { ground: 'dead', item: 'box' }], 1);
  expect(changeOf(board([floor, box, { ground: 'dead' }], 0), corner)).toMatch(/^This box is stuck/);
  expect(changeOf(corner, { ...corner, agent: { cell: 0, direction: null } })).toBeNull();
  const door = (open: boolean): Scene => ({ ...plain, passages: [{ a: 0, b: 1, color: 2, open }] });
  expect(changeOf(door(false), door(true))).toBe('The door is open');
});

test('an impossible move says what stands in the way', () => {
  const scene = board([floor, box, { ground: 'wall' }], 0);
  expect(whyNot(scene, scene, 0)).toMatch(/^The box cannot move/);
  expect(whyNot(scene, scene, 2)).toBe('There is a wall');
  const door = board([floor, { ground: 'floor', item: 'door', color: 1 }], 0);
  expect(whyNot(door, door, 0)).toBe('The door needs the blue key');
  expect(whyNot(door, { ...door, said: ['no way .'] }, 0)).toBe('No way');
});

test('pushes are the steps on which a box moved', () => {
  const states = [
    board([floor, floor, box, target], 0),
    board([floor, floor, box, target], 1),
    board([floor, floor, floor, home], 2),
  ];
  expect(pushesOf(states)).toBe(1);
});
