import { PURPOSE, random } from '../../core/random.ts';
import { generateTree, type TreeParams } from './generate.ts';
import { NONE, type Maze } from './level.ts';

/**
 * How hard a maze is (REDSearcher, with the lab's restatement: its own measures were not reached) is said by its ways beyond a
 * tree, which are the setting `loops`, and by its dispersion, the mean distance between the rooms that matter.
 */

/** Rooms that matter: the start, those of keys, of the goal's item and of the goal itself; each once. */
export function clueRooms({ start, keyRoom, itemRoom, goal }: Maze): number[] {
  const item = goal.item === NONE ? NONE : itemRoom[goal.item]!;
  return [...new Set([start, ...keyRoom, item, goal.room])].filter((room) => room !== NONE);
}

/** Rooms from one to each other, through doors as well; Infinity where no way leads. */
function distancesFrom({ names, ways }: Maze, from: number): number[] {
  const steps = names.map(() => Infinity);
  steps[from] = 0;
  const queue = [from];
  for (const room of queue) {
    for (const { a, b } of ways) {
      const to = a === room ? b : b === room ? a : NONE;
      if (to === NONE || steps[to]! < Infinity) continue;
      steps[to] = steps[room]! + 1;
      queue.push(to);
    }
  }
  return steps;
}

/** Mean distance between two of the rooms that matter; 0 where there is one. */
export function dispersion(maze: Maze): number {
  const rooms = clueRooms(maze);
  const pairs = rooms.flatMap((room, k) => {
    const steps = distancesFrom(maze, room);
    return rooms.slice(k + 1).map((other) => steps[other]!);
  });
  return pairs.length === 0 ? 0 : pairs.reduce((sum, steps) => sum + steps, 0) / pairs.length;
}

export type Spread = 'drawn' | 'near' | 'middle' | 'far';

/** Drawings of which one is taken. */
const DRAWINGS = 16;
const RANK: Readonly<Record<Exclude<Spread, 'drawn'>, number>> = { near: 0, middle: DRAWINGS / 2, far: DRAWINGS - 1 };

/** A generated maze: as its seed draws it, or of 16 that the seed leads to the one whose dispersion has the wanted rank. */
export function generateSpread(seed: number, params: TreeParams, spread: Spread): Maze {
  if (spread === 'drawn') return generateTree(seed, params);
  const drawings = Array.from({ length: DRAWINGS }, (_, n) => {
    const maze = generateTree(random(seed, PURPOSE.dispersion, n, 0, 0), params);
    return { maze, apart: dispersion(maze) };
  });
  // sorting keeps the order of equals
  return drawings.sort((a, b) => a.apart - b.apart)[RANK[spread]]!.maze;
}
