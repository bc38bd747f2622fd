import type { Scene, SceneCell } from '../../envs/types.ts';
import type { RoomsKind } from '../../envs/editor.ts';
import { exitOf, type Graph } from './rooms.ts';

const DX = [1, 0, -1, 0];
const DY = [0, 1, 0, -1];
type Place = { readonly x: number; readonly y: number };

/** Free place nearest to a wanted one, by rings around it. */
function nearest(x: number, y: number, isFree: (x: number, y: number) => boolean): Place {
  for (let r = 0; ; r++)
    for (let dy = -r; dy <= r; dy++)
      for (let dx = -r; dx <= r; dx++)
        if (Math.max(Math.abs(dx), Math.abs(dy)) === r && isFree(x + dx, y + dy)) return { x: x + dx, y: y + dy };
}

/** A place for every room: breadth first from the start along the exits; rooms without a way to it come below. */
export function placesOf(graph: Graph): Map<string, Place> {
  const places = new Map<string, Place>();
  const taken = new Set<string>();
  const put = (room: string, x: number, y: number): void => {
    const place = nearest(x, y, (a, b) => !taken.has(`${a},${b}`));
    taken.add(`${place.x},${place.y}`);
    places.set(room, place);
  };
  for (const first of [graph.start, ...graph.rooms]) {
    if (places.has(first) || !graph.rooms.includes(first)) continue;
    const lowest = Math.max(-1, ...[...places.values()].map((p) => p.y));
    put(first, 0, lowest + 1);
    const queue = [first];
    for (const room of queue) {
      const { x, y } = places.get(room)!;
      for (let d = 0; d < 4; d++) {
        const to = exitOf(graph, room, d)?.to;
        if (to === undefined || places.has(to)) continue;
        put(to, x + DX[d]!, y + DY[d]!);
        queue.push(to);
      }
    }
  }
  return places;
}

/** Drawing of a graph, with the cell of every room. */
export function sceneOfGraph(graph: Graph, kind: RoomsKind): { scene: Scene; cellOf: ReadonlyMap<string, number> } {
  const places = placesOf(graph);
  const [xs, ys] = [[...places.values()].map((p) => p.x), [...places.values()].map((p) => p.y)];
  const [left, top] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  const [width, height] = [Math.max(0, ...xs) - left + 1, Math.max(0, ...ys) - top + 1];
  const cellOf = new Map([...places].map(([room, { x, y }]) => [room, (y - top) * width + x - left]));
  const cells = new Array<SceneCell>(width * height).fill({ ground: 'void' });
  const isGoalRoom = (room: string): boolean => graph.goal.kind !== 'take' && graph.goal.room === room;
  for (const [room, cell] of cellOf) {
    const keys = kind.colors.flatMap((c, color) => (graph.keys[c] === room ? [{ item: 'key', color }] : []));
    const things = kind.items.filter((i) => graph.items[i] === room).map((item) => ({ item }));
    const items = [...(isGoalRoom(room) ? [{ item: 'goal' }] : []), ...keys, ...things];
    cells[cell] = { ground: 'room', label: room, items };
  }
  const passages = graph.ways.map(({ from, to, color }) => ({
    a: cellOf.get(from)!,
    b: cellOf.get(to)!,
    open: color === null,
    ...(color === null ? {} : { color: Math.max(0, kind.colors.indexOf(color)) }),
  }));
  const agent = { cell: cellOf.get(graph.start) ?? 0, direction: null };
  return { scene: { width, height, cells, passages, holding: [], agent }, cellOf };
}
