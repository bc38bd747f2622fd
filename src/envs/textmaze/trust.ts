import { PURPOSE, below, random, uniform } from '../../core/random.ts';
import { wilsonInterval } from '../../core/math/wilson.ts';
import type { Maze } from './level.ts';
import { ROOM_NAMES } from './names.ts';

/** Bit r = 1: room r tells its exits a quarter turn off. Each room is truthful with probability q. */
export function falseRooms(seed: number, rooms: number, q: number): number {
  let bits = 0;
  for (let room = 0; room < rooms; room++)
    if (uniform(random(seed, PURPOSE.falseExits, room, 0, 0)) >= q) bits |= 1 << room;
  return bits;
}

export const isFalse = (falseExits: number, room: number): boolean => ((falseExits >>> room) & 1) === 1;

/** Names of the rooms that tell their exits wrong. */
export const falseNames = ({ names }: Maze, falseExits: number): string[] =>
  names.filter((_, room) => isFalse(falseExits, room)).map((name) => ROOM_NAMES[name]!);

/** Rooms that a way leads to from a room. */
const neighborsOf = ({ ways }: Maze, room: number): number[] =>
  ways.flatMap(({ a, b }) => (a === room ? [b] : b === room ? [a] : []));

/**
 * How much the neighbors of each room may be trusted (AgentGL, arXiv 2604.05846, where it is how many neighbors of a node
 * have its label):
 *
 *   lower end of the Wilson interval of the share of truthful neighbors + 0.05·ln(1 + degree)/ln(1 + largest degree)
 */
export function trustOf(maze: Maze, falseExits: number): number[] {
  const around = maze.names.map((_, room) => neighborsOf(maze, room));
  const largest = Math.max(1, ...around.map((rooms) => rooms.length));
  return around.map((rooms) => {
    const truthful = rooms.filter((room) => !isFalse(falseExits, room)).length;
    const low = rooms.length === 0 ? 0 : wilsonInterval(truthful, rooms.length)[0];
    return low + (0.05 * Math.log(1 + rooms.length)) / Math.log(1 + largest);
  });
}

/** The rooms where something can be looked for, easiest first: most trust, then lower number. */
export function byTrust(maze: Maze, falseExits: number): number[] {
  const trust = trustOf(maze, falseExits);
  return [...maze.names.keys()].filter((room) => room !== maze.start).sort((a, b) => trust[b]! - trust[a]! || a - b);
}

/**
 * The same maze with what is looked for among the first `thirds` of three of the rooms by trust: it stays where it is if
 * that is among them, else it moves to one of them, each as likely. With all three nothing moves.
 */
export function easier(maze: Maze, falseExits: number, thirds: number, seed: number): Maze {
  const { goal } = maze;
  const ranked = byTrust(maze, falseExits);
  const easy = ranked
    .slice(0, Math.ceil((ranked.length * thirds) / 3))
    .filter((room) => goal.kind !== 'bring' || room !== goal.room);
  const now = goal.kind === 'reach' ? goal.room : maze.itemRoom[goal.item]!;
  if (easy.length === 0 || easy.includes(now)) return maze;
  const room = easy[below(random(seed, PURPOSE.goalThird, 0, 0, 0), easy.length)]!;
  if (goal.kind === 'reach') return { ...maze, goal: { ...goal, room } };
  return { ...maze, itemRoom: maze.itemRoom.map((at, item) => (item === goal.item ? room : at)) };
}
