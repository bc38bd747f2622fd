import { NONE, type Maze } from './level.ts';
import { exitsOf } from './rules.ts';

/** Where each room is drawn: cells of a board, index y·width + x. */
export type Layout = { readonly width: number; readonly height: number; readonly cellOf: readonly number[] };

type Spot = { readonly x: number; readonly y: number };
const DX = [1, 0, -1, 0] as const;
const DY = [0, 1, 0, -1] as const;

/** The wanted spot, or the nearest free one: by distance, then from top to bottom, then from left to right. */
function nearestFree(spots: readonly (Spot | undefined)[], { x, y }: Spot): Spot {
  const isFree = (at: Spot): boolean => !spots.some((spot) => spot && spot.x === at.x && spot.y === at.y);
  for (let distance = 0; ; distance++) {
    for (let dy = -distance; dy <= distance; dy++) {
      const side = distance - Math.abs(dy);
      for (const dx of side === 0 ? [0] : [-side, side]) {
        const spot = { x: x + dx, y: y + dy };
        if (isFree(spot)) return spot;
      }
    }
  }
}

/**
 * Rooms on a lattice: breadth first from the start, each neighbor one cell away in the direction of the way. Ways of a
 * written level need not fit the plane; a room whose cell is taken goes to the nearest free one, and so does a room
 * that no way leads to.
 */
export function layoutOf(maze: Maze): Layout {
  const { exitRoom } = exitsOf(maze);
  const spots: (Spot | undefined)[] = maze.names.map(() => undefined);
  const place = (from: number, wanted: Spot): void => {
    spots[from] = nearestFree(spots, wanted);
    const queue = [from];
    for (let head = 0; head < queue.length; head++) {
      const room = queue[head]!;
      const { x, y } = spots[room]!;
      for (let direction = 0; direction < 4; direction++) {
        const to = exitRoom[4 * room + direction]!;
        if (to === NONE || spots[to]) continue;
        spots[to] = nearestFree(spots, { x: x + DX[direction]!, y: y + DY[direction]! });
        queue.push(to);
      }
    }
  };
  place(maze.start, { x: 0, y: 0 });
  maze.names.forEach((_, room) => {
    if (!spots[room]) place(room, { x: 0, y: 0 });
  });
  const placed = spots as readonly Spot[];
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  const width = Math.max(...placed.map(({ x }) => x)) - left + 1;
  const height = Math.max(...placed.map(({ y }) => y)) - top + 1;
  return { width, height, cellOf: placed.map(({ x, y }) => (y - top) * width + x - left) };
}
