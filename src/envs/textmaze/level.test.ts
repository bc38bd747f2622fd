import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mustSucceed } from '../../core/problem.ts';
import { generateTree, type TreeParams } from './generate.ts';
import { layoutOf } from './layout.ts';
import { lengthOfMaze, lengthOfTree } from './length.ts';
import { GOALS, LEVEL_ERRORS, NONE, parseMaze, writeMaze, type Maze } from './level.ts';
import { MANY_DOORS, torus } from './samples.ts';

const maze = (text: string): Maze => mustSucceed(parseMaze(text)).maze;

const anyParams: fc.Arbitrary<TreeParams> = fc.record({
  rooms: fc.integer({ min: 2, max: 16 }),
  chain: fc.integer({ min: 0, max: 4 }),
  loops: fc.integer({ min: 0, max: 8 }),
  goal: fc.constantFrom(...GOALS),
  distract: fc.boolean(),
});
const anySeed = fc.integer({ min: 0, max: 0xffffffff });

const ROOMS = 'rooms: hall attic vault\nstart: hall\n';

describe('errors of a written level', () => {
  test.each([
    ['badLine', 2, 1, 'rooms: hall attic\nhall north attic'],
    ['badLine', 3, 3, 'rooms: hall\nstart: hall\n  goal'],
    ['unknownOption', 3, 1, 'rooms: hall\nstart: hall\nfoo: 1'],
    ['missing', 1, 7, 'rooms:'],
    ['missing', 3, 17, `${ROOMS}edge: hall north`],
    ['missing', 3, 24, `${ROOMS}door: hall north attic ; of which color?`],
    ['missing', 3, 12, `${ROOMS}goal: bring`],
    ['unknownRoom', 1, 13, 'rooms: hall moon\nstart: hall'],
    ['unknownRoom', 1, 8, 'start: hall'],
    ['unknownRoom', 2, 8, 'rooms: hall\nstart: attic'],
    ['unknownRoom', 3, 18, `${ROOMS}edge: hall north tower`],
    ['unknownDirection', 3, 12, `${ROOMS}edge: hall up attic`],
    ['unknownColor', 3, 24, `${ROOMS}door: hall north attic pink`],
    ['unknownColor', 3, 6, `${ROOMS}key: pink hall`],
    ['unknownItem', 3, 7, `${ROOMS}item: hat hall`],
    ['unknownItem', 3, 12, `${ROOMS}goal: take hat`],
    ['unknownGoal', 3, 7, `${ROOMS}goal: eat lamp`],
    ['twice', 1, 13, 'rooms: hall hall'],
    ['twice', 3, 1, `${ROOMS}rooms: tower`],
    ['twice', 3, 1, `${ROOMS}start: attic`],
    ['twice', 4, 6, `${ROOMS}key: red hall\nkey: red attic`],
    ['twice', 4, 7, `${ROOMS}item: cup hall\nitem: cup attic`],
    ['twice', 4, 1, `${ROOMS}goal: reach hall\ngoal: reach attic`],
    ['twice', 3, 18, `${ROOMS}edge: hall north hall`],
    ['exitTaken', 4, 13, `${ROOMS}edge: hall north attic\nedge: attic south hall`],
    ['exitTaken', 4, 12, `${ROOMS}edge: hall north attic\ndoor: hall north vault red`],
    ['exitTaken', 4, 13, `${ROOMS}edge: hall north attic\nedge: vault north attic`],
    ['tooMany', 2, 13, 'rooms: hall\nstart: hall attic'],
    ['tooMany', 1, 121, `${torus().split('\n')[0]!} hall`],
    ['noRooms', 1, 1, ''],
    ['noRooms', 2, 1, '; nothing\n; at all\n\n'],
    ['noStart', 2, 1, 'rooms: hall\ngoal: reach hall'],
    ['noGoal', 2, 1, 'rooms: hall\r\nstart: hall\r\n'],
    ['goalItemMissing', 4, 1, `${ROOMS}goal: take lamp\nitem: cup hall`],
  ])('%s at %i:%i', (code, line, column, text) => {
    expect(parseMaze(text)).toEqual({ ok: false, code, line, column });
  });

  test('every code has one sentence, and every sentence belongs to a code that can happen', () => {
    const codes =
      'badLine unknownOption missing unknownRoom unknownDirection unknownColor unknownItem unknownGoal twice exitTaken tooMany noRooms noStart noGoal goalItemMissing';
    expect(Object.keys(LEVEL_ERRORS)).toEqual(codes.split(' '));
    for (const sentence of Object.values(LEVEL_ERRORS)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test('no text whatever makes the parser throw', () => {
    const word = fc.constantFrom(
      ...'rooms: start: edge: door: key: item: goal: hall attic vault north south red blue lamp take bring reach ; : \n moon'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const parsed = parseMaze(words.join(' '));
        expect(parsed.ok || Object.hasOwn(LEVEL_ERRORS, parsed.code)).toBe(true);
      }),
    );
  });

  test('comments, blank lines and Windows line ends mean nothing', () => {
    const text =
      '; a level\r\n\r\nrooms: hall attic ; two\r\nstart: hall\r\nedge: hall east attic\r\ngoal: reach attic\r\n';
    expect(maze(text)).toEqual(maze('rooms: hall attic\nstart: hall\nedge: hall east attic\ngoal: reach attic'));
  });
});

/** Rooms that can be reached when doors of a color are never opened, keys being taken where they lie. */
function reachable({ start, ways, keyRoom }: Maze, without: number): Set<number> {
  const seen = new Set([start]);
  for (let before = 0; before < seen.size;) {
    before = seen.size;
    for (const { a, b, color } of ways) {
      const isOpen = color === NONE || (color !== without && seen.has(keyRoom[color]!));
      if (isOpen && seen.has(a)) seen.add(b);
      if (isOpen && seen.has(b)) seen.add(a);
    }
  }
  return seen;
}

describe('generated levels', () => {
  test('every room can be reached, and every key lies before its door', () => {
    fc.assert(
      fc.property(anyParams, anySeed, (p, seed) => {
        const made = generateTree(seed, p);
        expect(reachable(made, NONE).size).toBe(p.rooms);
        made.keyRoom.forEach((room, color) => {
          if (room !== NONE) expect(reachable(made, color).has(room)).toBe(true);
        });
        expect(made.keyRoom.filter((room) => room !== NONE)).toHaveLength(Math.min(p.chain, p.rooms - 1, 4));
      }),
      { numRuns: 300 },
    );
  });

  test('writing a level and reading it again changes nothing', () => {
    fc.assert(
      fc.property(anyParams, anySeed, (p, seed) => {
        const made = generateTree(seed, p);
        expect(maze(writeMaze(made))).toEqual(made);
      }),
    );
    for (const text of [MANY_DOORS, torus()]) expect(writeMaze(maze(text))).toBe(text);
  });

  test('the same seed gives the same level and another seed another one', () => {
    const text = (seed: number): string =>
      writeMaze(generateTree(seed, { rooms: 6, chain: 2, loops: 1, goal: 'take', distract: false }));
    expect(text(5)).toBe(text(5));
    expect(new Set([1, 2, 3, 4, 5, 6].map(text)).size).toBe(6);
  });
});

describe('the drawing', () => {
  const spot = (cell: number, width: number): [number, number] => [cell % width, Math.floor(cell / width)];

  test('generated rooms lie on a lattice: every way leads one cell in its direction', () => {
    fc.assert(
      fc.property(anyParams, anySeed, (p, seed) => {
        const made = generateTree(seed, p);
        const { width, cellOf } = layoutOf(made);
        for (const { a, direction, b } of made.ways) {
          const [ax, ay] = spot(cellOf[a]!, width);
          const [bx, by] = spot(cellOf[b]!, width);
          expect([bx - ax, by - ay]).toEqual(
            [
              [1, 0],
              [0, 1],
              [-1, 0],
              [0, -1],
            ][direction],
          );
        }
        expect(new Set(cellOf).size).toBe(p.rooms);
      }),
    );
  });

  test('rooms that fit no plane, or that no way leads to, still have cells of their own', () => {
    const ring =
      'rooms: hall attic vault\nstart: hall\nedge: hall east attic\nedge: attic east vault\nedge: vault east hall\n';
    for (const text of [torus(), `${ring}goal: reach vault`, 'rooms: hall attic\nstart: hall\ngoal: reach attic']) {
      const { width, height, cellOf } = layoutOf(maze(text));
      expect(new Set(cellOf).size).toBe(cellOf.length);
      expect(Math.max(...cellOf)).toBeLessThan(width * height);
    }
    // without ways: above the start, then to its left
    const apart = 'rooms: hall attic vault\nstart: hall\ngoal: reach vault';
    expect(layoutOf(maze(apart))).toEqual({ width: 2, height: 2, cellOf: [3, 1, 2] });
    // four rooms around a square, and a fifth that wants the cell of the first: the nearest free one is above it
    const taken =
      'rooms: hall attic vault tower garden\nstart: hall\nedge: hall east attic\nedge: attic south vault\n' +
      'edge: vault west tower\nedge: tower north garden\ngoal: reach garden';
    expect(layoutOf(maze(taken))).toEqual({ width: 2, height: 3, cellOf: [2, 3, 5, 4, 0] });
  });
});

describe('longest observation', () => {
  test('is 68 tokens where sixteen rooms are recalled, four doors are locked and everything lies here', () => {
    expect(lengthOfTree({ rooms: 16, chain: 4, loops: 6, goal: 'bring', distract: true }, true, false)).toBe(68);
    const [rooms] = torus().split('\n');
    const around = ['east', 'south', 'west', 'north'].map(
      (d, k) => `door: kitchen ${d} ${rooms!.split(' ')[k + 2]!} ${['red', 'blue', 'green', 'yellow'][k]!}`,
    );
    const things = ['red', 'blue', 'green', 'yellow'].map((color) => `key: ${color} kitchen`);
    const items = ['lamp', 'coin', 'cup'].map((item) => `item: ${item} kitchen`);
    const text = [rooms, 'start: kitchen', ...around, ...things, ...items, 'goal: bring lamp kitchen'].join('\n');
    expect(lengthOfMaze(maze(text), true, false)).toBe(68);
  });

  test('of one level is never above that of all levels with its parameters', () => {
    fc.assert(
      fc.property(anyParams, anySeed, fc.boolean(), fc.boolean(), (p, seed, meta, first) => {
        const all = lengthOfTree(p, meta, first);
        expect(lengthOfMaze(generateTree(seed, p), meta, first)).toBeLessThanOrEqual(all);
        expect(all % 4).toBe(0);
      }),
    );
  });
});
