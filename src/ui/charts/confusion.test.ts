import { expect, test } from 'vitest';
import type { World } from '../stage/world.ts';
import { confusionOf, stretchesIn, summaryOf } from './confusion.ts';

const NAMES = ['key', 'door', 'exit'];

/** Two words a state: what holds, as bits; and 16·role + what is followed, plus one. */
function worldOf(): World {
  const env = {
    aiming: {
      names: () => NAMES,
      chosen: (state: Uint32Array, at: number) => (state[at + 1]! & 15) - 1,
      reached: () => false,
      holds: (_: unknown, state: Uint32Array, at: number, goal: number) => ((state[at]! >>> goal) & 1) === 1,
    },
    scene: (_: unknown, state: Uint32Array, at: number) => ({
      aim: { subgoal: '', decides: ['action', 'switch', 'subgoal'][state[at + 1]! >>> 4]!, plan: [] },
    }),
  };
  return { env, level: {}, source: {} } as unknown as World;
}

/** An episode of [role, followed, what holds] and what holds at its end. */
function seenOf(steps: readonly (readonly ['acts' | 'keeps' | 'sets', number, number])[], end: number) {
  const ROLES = { acts: 0, keeps: 1, sets: 2 } as const;
  const words = steps.map(([role, goal, holds]) => [holds, ROLES[role] * 16 + goal + 1]);
  const state = Uint32Array.from([...words, [end, 0]].flat());
  const T = steps.length;
  return { state, T, words: 2, length: Uint32Array.of(T), action: new Uint32Array(T), actions: ['up'] };
}

const [KEY, DOOR] = [1, 2];

test('by hand: what came to hold first, a subgoal that held already, and one that is chosen again', () => {
  const seen = seenOf(
    [
      ['sets', -1, 0],
      ['acts', 1, 0], // the key is found on the way to the door …
      ['keeps', 1, KEY],
      ['acts', 1, KEY], // … and then the door, which is not the first
      ['sets', -1, KEY | DOOR],
      ['acts', 0, KEY | DOOR],
      ['sets', -1, KEY | DOOR],
      ['acts', 2, KEY | DOOR],
      ['sets', -1, KEY | DOOR],
      ['acts', 2, KEY | DOOR], // the same once more is another choice
    ],
    7,
  );
  expect(stretchesIn(worldOf(), seen, 0)).toEqual([
    { chosen: 'door', first: 'key', held: false },
    { chosen: 'key', first: null, held: true },
    { chosen: 'exit', first: null, held: false },
    { chosen: 'exit', first: 'exit', held: false },
  ]);
});

test('of what comes to hold at once it is what was chosen, and a plan that moves on begins a stretch', () => {
  const seen = seenOf(
    [
      ['acts', 1, 0],
      ['acts', 2, KEY | DOOR],
    ],
    7,
  );
  expect(stretchesIn(worldOf(), seen, 0)).toEqual([
    { chosen: 'door', first: 'door', held: false },
    { chosen: 'exit', first: 'exit', held: false },
  ]);
});

test('counts by name, and the commonest mix-up', () => {
  const of = (chosen: string, first: string | null, held = false) => ({ chosen, first, held });
  const found = confusionOf(
    [
      ...[of('door', 'key'), of('key', 'key'), of('key', 'key'), of('door', null), of('door', 'key')],
      ...[of('key', 'door'), of('key', null, true)],
    ],
    [...NAMES, ...NAMES],
  );
  expect(found).toEqual({
    names: ['key', 'door'],
    counts: [
      [2, 1, 0],
      [2, 0, 1],
    ],
    held: [1, 0],
  });
  expect(summaryOf(found)).toEqual({ all: 6, meant: 2, none: 1, other: 3, mixed: { chosen: 'door', first: 'key' } });
  expect(summaryOf(confusionOf([], NAMES)).mixed).toBeNull();
});
