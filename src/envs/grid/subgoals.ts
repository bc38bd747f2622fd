import { madeOnce, type Nearby, type Vocabulary } from '../subgoals.ts';
import type { GridLevel } from './grid.ts';
import { KIND } from './level.ts';
import { featuresOf, observeNearby } from './observe.ts';
import { cellOf, progressOf } from './rules.ts';

const COLORS = ['red', 'blue', 'green', 'yellow'];
/** Four keys, their doors and a goal, and one more. */
const MOST = 10;
/** Sides of the map in tiles. */
const TILES = 3;
const SIDES = ['top', 'middle', 'bottom'];

type Item = { readonly cell: number; readonly name: string; reached(state: Uint32Array, at: number): boolean };

/** Goals, keys, locked doors, numbered goals and other doors of a level, each in reading order. */
const itemsOf = madeOnce<GridLevel, object, readonly Item[]>(
  ({ rules }) => rules.map,
  ({ rules: { map } }) => {
    const cellsOf = (...kinds: readonly number[]): number[] =>
      Array.from(map.kind, (_, cell) => cell).filter((cell) => kinds.includes(map.kind[cell]!));
    const bit = (word: number, cell: number) => (state: Uint32Array, at: number) =>
      ((state[at + word]! >>> map.index[cell]!) & 1) === 1;
    const goals = cellsOf(KIND.goal, KIND.exit);
    const doors = cellsOf(KIND.door);
    const nth = (name: string, k: number, all: readonly number[]): string =>
      all.length > 1 ? `${name} ${k + 1}` : name;
    return [
      ...goals.map((cell, k): Item => ({
        ...{ cell, name: nth('goal', k, goals) },
        reached: (state, at) => cellOf(state[at]!) === cell,
      })),
      ...cellsOf(KIND.key).map((cell): Item => ({
        ...{ cell, name: `${COLORS[map.color[cell]!]} key`, reached: bit(2, cell) },
      })),
      ...cellsOf(KIND.lockedDoor).map((cell): Item => ({
        ...{ cell, name: `${COLORS[map.color[cell]!]} door`, reached: bit(1, cell) },
      })),
      ...cellsOf(KIND.subgoal).map((cell): Item => ({
        ...{ cell, name: `number ${map.index[cell]}` },
        reached: (state, at) => progressOf(state[at]!) >= map.index[cell]!,
      })),
      ...doors.map((cell, k): Item => ({ cell, name: nth('door', k, doors), reached: bit(1, cell) })),
    ].slice(0, MOST);
  },
);

/** Tile of a cell. */
const tileOf = ({ rules: { map } }: GridLevel, cell: number): number => {
  const [x, y] = [cell % map.W, Math.floor(cell / map.W)];
  return TILES * Math.floor((TILES * y) / map.H) + Math.floor((TILES * x) / map.W);
};

/** The cell in the middle of a tile. */
const middleOf = ({ rules: { map } }: GridLevel, tile: number): number => {
  const middle = (k: number, size: number): number => Math.floor(((2 * k + 1) * size) / (2 * TILES));
  return middle(Math.floor(tile / TILES), map.H) * map.W + middle(tile % TILES, map.W);
};

export const gridSubgoals: readonly Vocabulary<GridLevel>[] = [
  {
    id: 'items',
    most: MOST,
    names: (level) => itemsOf(level).map(({ name }) => name),
    reached: (level, { state, at }, g) => itemsOf(level)[g]!.reached(state, at),
    marks: 1,
    mark: (level, _of, g) => itemsOf(level)[g]!.cell,
  },
  {
    id: 'tiles',
    most: TILES * TILES,
    names: () => SIDES.flatMap((row) => ['left', 'center', 'right'].map((column) => `${row} ${column}`)),
    reached: (level, { state, at }, g) => tileOf(level, cellOf(state[at]!)) === g,
    marks: 1,
    mark: (level, _of, g) => middleOf(level, g),
  },
];

const AROUND = { kind: 'ego', size: 3 } as const;

/** 3 × 3 cells, with turns those ahead, and then the heading; keys held stay unseen. */
export const gridNearby: Nearby<GridLevel> = {
  bits: ({ rules }) => featuresOf(rules, AROUND),
  observe: ({ rules }, state, at, bits, bitsAt) => observeNearby(rules, AROUND, state, at, bits, bitsAt),
};
