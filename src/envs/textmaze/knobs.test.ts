import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wilsonInterval } from '../../core/math/wilson.ts';
import { clueRooms, dispersion, generateSpread } from './clues.ts';
import { lengthOfTree } from './length.ts';
import { generateTree } from './generate.ts';
import { parseMaze, type Maze } from './level.ts';
import { exitsOf } from './rules.ts';
import { anySeed, anyTask, levelOf, said, wander } from './samples.ts';
import { say } from './say.ts';
import { textmaze } from './textmaze.ts';
import { byTrust, easier, falseRooms, trustOf } from './trust.ts';

const mazeOf = (text: string): Maze => {
  const parsed = parseMaze(text);
  if (!parsed.ok) throw new Error(parsed.code);
  return parsed.maze;
};

/** A hall with three rooms around it, and one more behind the attic; the cellar is behind a door. */
const STAR = mazeOf(
  'rooms: hall attic cellar garden vault\nstart: hall\nedge: hall north attic\ndoor: hall east cellar red\n' +
    'edge: hall west garden\nedge: attic north vault\nkey: red garden\nitem: lamp vault\ngoal: take lamp',
);

/** Ways beyond a tree. */
const cycleRank = ({ ways, names }: Maze): number => ways.length - names.length + 1;

test('a room that is not truthful tells open exits and locked doors a quarter turn off, and nothing else changes', () => {
  const base = levelOf({ level: 'twoRooms' });
  const at = (falseExits: number) => ({ ...base, rules: { ...base.rules, maze: STAR, falseExits, ...exitsOf(STAR) } });
  const state = Uint32Array.of(0, 0, 1, 0);
  // the hall: attic in the north and garden in the west are open, the cellar in the east is locked
  expect(said(at(0), state)).toContain('exits west north . locked red door east .');
  // north → east, west → north, east → south
  expect(said(at(1), state)).toContain('exits east north . locked red door south .');
  expect(said(at(0b11110), state)).toBe(said(at(0), state));
  expect(textmaze.text(at(1), state, 0)).toContain('exits told a quarter turn off in: hall');
});

test('trust: the lower end of the Wilson interval of truthful neighbors, and a little for their number', () => {
  // the vault does not tell the truth; neighbors: hall 3 of 3, attic 1 of 2, cellar 1 of 1, garden 1 of 1, vault 1 of 1
  const trust = trustOf(STAR, 0b10000);
  const low = (k: number, n: number): number => wilsonInterval(k, n)[0];
  const degree = (n: number): number => (0.05 * Math.log(1 + n)) / Math.log(4);
  const want = [low(3, 3) + degree(3), low(1, 2) + degree(2), ...[0, 0, 0].map(() => low(1, 1) + degree(1))];
  trust.forEach((value, room) => expect(value).toBeCloseTo(want[room]!, 12));
  // the lower end for 1 of 1 is 1/(1 + z²), for 1 of 2 less than half of it: the attic is the hardest
  expect(low(1, 1)).toBeCloseTo(1 / (1 + 1.95996 ** 2), 12);
  expect(byTrust(STAR, 0b10000)).toEqual([2, 3, 4, 1]);
});

test('with fewer thirds the goal lies in a room of those, with all three the maze is as it was', () => {
  fc.assert(
    fc.property(
      anyTask,
      anySeed,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 3 }),
      (task, seed, q, thirds) => {
        const { maze } = levelOf(task, seed).rules;
        const bits = falseRooms(seed, maze.names.length, q);
        const near = easier(maze, bits, thirds, seed);
        const placeOf = ({ goal, itemRoom }: Maze): number =>
          goal.kind === 'reach' ? goal.room : itemRoom[goal.item]!;
        if (thirds === 3) expect(near).toBe(maze);
        expect({ ...near, goal: maze.goal, itemRoom: maze.itemRoom }).toEqual(maze);
        const ranked = byTrust(maze, bits);
        const allowed = ranked.slice(0, Math.ceil((ranked.length * thirds) / 3));
        const isOnlyTarget = allowed.every((room) => maze.goal.kind === 'bring' && room === maze.goal.room);
        if (!isOnlyTarget) expect(allowed).toContain(placeOf(near));
      },
    ),
  );
});

test('all rooms are truthful at q = 1, none at 0, and as many as q says between', () => {
  let told = 0;
  for (let seed = 0; seed < 500; seed++) {
    expect(falseRooms(seed, 16, 1)).toBe(0);
    expect(falseRooms(seed, 16, 0)).toBe(0xffff);
    for (let bits = falseRooms(seed, 16, 0.7); bits !== 0; bits &= bits - 1) told++;
  }
  // 8000 draws: standard deviation 0.0051
  expect(told / 8000).toBeGreaterThan(0.28);
  expect(told / 8000).toBeLessThan(0.32);
});

test('a maze that grows by trust has three stages; the last one is the whole task', () => {
  const task = { level: 'tree', rooms: 7, chain: 1, truthful: 0.5, growBy: 'trust' };
  const levelAt = (stage: number) => levelOf({ ...task, growEvery: 10 }, 8 * 123 + stage).rules;
  expect(textmaze.stages!({ ...task, growEvery: 10 })).toBe(3);
  expect(textmaze.stages!({ ...task, growEvery: 0 })).toBe(1);
  for (const stage of [0, 1]) {
    const { maze, falseExits } = levelAt(stage);
    const ranked = byTrust(maze, falseExits);
    expect(ranked.slice(0, 2 * (stage + 1))).toContain(maze.itemRoom[maze.goal.item]);
  }
  const whole = levelAt(2).maze;
  expect(whole).toEqual(levelOf(task, 8 * 123 + 2).rules.maze);
});

test('dispersion is the mean distance between the rooms that matter, topology the ways beyond a tree', () => {
  // start hall, key garden, item vault: hall–garden 1, hall–vault 2, garden–vault 3
  expect(clueRooms(STAR)).toEqual([0, 3, 4]);
  expect(dispersion(STAR)).toBe(2);
  expect(cycleRank(STAR)).toBe(0);
});

test('ways beyond a tree are at most the loops asked for', () => {
  fc.assert(
    fc.property(anySeed, fc.integer({ min: 2, max: 16 }), fc.integer({ min: 0, max: 8 }), (seed, rooms, loops) => {
      const rank = cycleRank(generateTree(seed, { rooms, chain: 1, loops, goal: 'take', distract: false }));
      expect(rank).toBeGreaterThanOrEqual(0);
      expect(rank).toBeLessThanOrEqual(loops);
    }),
  );
});

test('near, in between and far are in this order for every seed, and every maze can be solved', () => {
  const params = { rooms: 8, chain: 2, loops: 1, goal: 'take', distract: false } as const;
  const lengths = { near: 0, middle: 0, far: 0 };
  for (let seed = 1; seed <= 25; seed++) {
    const apart = (['near', 'middle', 'far'] as const).map((spread) => {
      lengths[spread] += textmaze.shortestPath(levelOf({ level: 'tree', ...params, dispersion: spread }, seed))!.length;
      return dispersion(generateSpread(seed, params, spread));
    });
    expect(apart).toEqual([...apart].sort((a, b) => a - b));
    expect(apart[0]).toBeLessThan(apart[2]!);
    expect(generateSpread(seed, params, 'drawn')).toEqual(generateTree(seed, params));
  }
  // what lies farther apart takes longer to do
  expect(lengths.near).toBeLessThan(lengths.middle);
  expect(lengths.middle).toBeLessThan(lengths.far);
});

test('what is told stays as long as it may be, whoever tells it wrong', () => {
  fc.assert(
    fc.property(anyTask, anySeed, (task, seed) => {
      const level = levelOf({ ...task, truthful: 0.3, view: 'tokens' }, seed);
      const { rooms, chain, loops, goal, distract } = task as Parameters<typeof lengthOfTree>[0];
      expect(level.length).toBe(
        lengthOfTree(
          { rooms, chain, loops, goal, distract },
          task['metaActions'] === true,
          task['goalShown'] === 'first',
        ),
      );
      wander(level, 60, seed, (_, __, next) => {
        expect(say(level.rules, level.goalFirst, next, 0).tokens.length).toBeLessThanOrEqual(level.length);
      });
    }),
    { numRuns: 40 },
  );
});
