import { LevelStream } from '../../core/random.ts';
import { NONE, type Goal, type Maze, type Way } from './level.ts';
import { COLORS, ITEMS, ROOM_NAMES } from './names.ts';

export const FAMILY = 3;

const DX = [1, 0, -1, 0] as const;
const DY = [0, 1, 0, -1] as const;

export type TreeParams = {
  readonly rooms: number;
  /** locked doors whose keys lie one after the other; at most 4 and at most rooms − 1 */
  readonly chain: number;
  /** open ways beyond the tree */
  readonly loops: number;
  readonly goal: Goal['kind'];
  /** items that nobody needs lie around too */
  readonly distract: boolean;
};

/** A room of the tree: where it lies on the lattice and which way led to it. */
type Site = { readonly x: number; readonly y: number; readonly parent: number; readonly direction: number };

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);

function drawTree(stream: LevelStream, rooms: number): Site[] {
  const sites: Site[] = [{ x: 0, y: 0, parent: NONE, direction: NONE }];
  const isFree = (x: number, y: number): boolean => !sites.some((site) => site.x === x && site.y === y);
  while (sites.length < rooms) {
    const candidates: Site[] = [];
    sites.forEach(({ x, y }, parent) => {
      for (let direction = 0; direction < 4; direction++) {
        const site = { x: x + DX[direction]!, y: y + DY[direction]!, parent, direction };
        if (isFree(site.x, site.y)) candidates.push(site);
      }
    });
    sites.push(stream.pick(candidates));
  }
  return sites;
}

/** Region of every room: rooms joined by unlocked edges of the tree share the number of their first room. */
function regionsOf(sites: readonly Site[], colorOf: readonly number[]): number[] {
  const region: number[] = [];
  sites.forEach(({ parent }, room) => {
    region.push(parent === NONE || colorOf[room] !== NONE ? room : region[parent]!);
  });
  return region;
}

/**
 * Lays each key into rooms that just became reachable, so that keys tend to form a chain and every key can be had
 * before its door. Returns the rooms opened last.
 */
function layKeys(
  stream: LevelStream,
  sites: readonly Site[],
  colorOf: readonly number[],
  region: readonly number[],
  keyRoom: number[],
): number[] {
  const roomsOf = (of: number): number[] => range(0, sites.length).filter((room) => region[room] === of);
  let fresh = roomsOf(0);
  const reach = new Set(fresh);
  let closed = range(1, sites.length).filter((room) => colorOf[room] !== NONE);
  while (closed.length > 0) {
    const child = stream.pick(closed.filter((room) => reach.has(sites[room]!.parent)));
    keyRoom[colorOf[child]!] = stream.pick(fresh);
    fresh = roomsOf(child);
    for (const room of fresh) reach.add(room);
    closed = closed.filter((room) => room !== child);
  }
  return fresh;
}

function addLoops(
  stream: LevelStream,
  sites: readonly Site[],
  region: readonly number[],
  ways: Way[],
  loops: number,
): void {
  const isJoined = (a: number, b: number): boolean =>
    ways.some((way) => (way.a === a && way.b === b) || (way.a === b && way.b === a));
  for (let k = 0; k < loops; k++) {
    const candidates: Way[] = [];
    sites.forEach(({ x, y }, a) => {
      for (let direction = 0; direction < 4; direction++) {
        const b = sites.findIndex((site) => site.x === x + DX[direction]! && site.y === y + DY[direction]!);
        if (b > a && region[a] === region[b] && !isJoined(a, b)) candidates.push({ a, direction, b, color: NONE });
      }
    });
    if (candidates.length === 0) return;
    ways.push(stream.pick(candidates));
  }
}

/**
 * A tree of rooms on a lattice with a chain of locked doors. One attempt, always succeeds; the order of the draws is
 * part of the definition. Spec environments §4.7.
 */
export function generateTree(seed: number, p: TreeParams): Maze {
  const stream = new LevelStream(seed, FAMILY);
  const { rooms } = p;
  const sites = drawTree(stream, rooms);
  const names = stream.shuffle(range(0, ROOM_NAMES.length)).slice(0, rooms);
  const locked = stream
    .shuffle(range(1, rooms))
    .slice(0, Math.min(p.chain, COLORS.length))
    .sort((a, b) => a - b);
  const colors = stream.shuffle(range(0, COLORS.length));
  const colorOf = sites.map((_, room) => (locked.includes(room) ? colors[locked.indexOf(room)]! : NONE));
  const region = regionsOf(sites, colorOf);
  const keyRoom = COLORS.map(() => NONE);
  const fresh = layKeys(stream, sites, colorOf, region, keyRoom);
  const ends = fresh.filter((room) => room !== 0);
  const goalRoom = stream.pick(ends.length > 0 ? ends : range(1, rooms));
  const ways = sites.slice(1).map(({ parent, direction }, k): Way => {
    return { a: parent, direction, b: k + 1, color: colorOf[k + 1]! };
  });
  addLoops(stream, sites, region, ways, p.loops);
  const item = stream.below(ITEMS.length);
  const itemRoom = ITEMS.map((_, k) => {
    if (k === item) return p.goal === 'reach' ? NONE : goalRoom;
    return p.distract ? stream.below(rooms) : NONE;
  });
  const goal: Goal = {
    kind: p.goal,
    item: p.goal === 'reach' ? NONE : item,
    room:
      p.goal === 'take'
        ? NONE
        : p.goal === 'reach'
          ? goalRoom
          : stream.pick(range(0, rooms).filter((room) => room !== goalRoom)),
  };
  return { names, start: 0, ways, keyRoom, itemRoom, goal };
}
