import type { RoomsKind } from '../../envs/editor.ts';

/** A way between two rooms; `direction` from the first one: 0 east, 1 south, 2 west, 3 north. `color` of its lock. */
export type Way = {
  readonly from: string;
  readonly direction: number;
  readonly to: string;
  readonly color: string | null;
};
export type Goal = { readonly kind: string; readonly item: string; readonly room: string };
/** Rooms, ways and things as in a level text. */
export type Graph = {
  readonly rooms: readonly string[];
  readonly start: string;
  readonly ways: readonly Way[];
  /** color → room of its key, thing → room */
  readonly keys: Readonly<Record<string, string>>;
  readonly items: Readonly<Record<string, string>>;
  readonly goal: Goal;
};

export const GOALS = ['reach', 'take', 'bring'] as const;
const opposite = (direction: number): number => (direction + 2) & 3;

/** Reads what can be read; lines that make no sense are left out. */
export function parseGraph(text: string, kind: RoomsKind): Graph {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => /^\s*(\w+):\s*(.*)$/.exec(line))
    .flatMap((m) => (m ? [{ name: m[1]!, words: m[2]!.split(/\s+/).filter((w) => w !== '') }] : []));
  const of = (name: string): string[][] => lines.filter((l) => l.name === name).map((l) => l.words);
  const rooms = (of('rooms')[0] ?? []).filter((room) => kind.names.includes(room));
  const isRoom = (room: string | undefined): room is string => room !== undefined && rooms.includes(room);
  const ways = [...of('edge').map((w) => [...w.slice(0, 3), null]), ...of('door')].flatMap((words): Way[] => {
    const [from, way, to, color] = words as [string?, string?, string?, (string | null)?];
    const direction = kind.directions.indexOf(way ?? '');
    return isRoom(from) && isRoom(to) && direction >= 0 ? [{ from, direction, to, color: color ?? null }] : [];
  });
  const placed = (name: string): Record<string, string> =>
    Object.fromEntries(of(name).flatMap(([what, room]) => (isRoom(room) ? [[what!, room]] : [])));
  const [goal = 'reach', ...rest] = of('goal')[0] ?? [];
  const item = goal === 'reach' ? '' : (rest[0] ?? '');
  const room = goal === 'reach' ? rest[0] : rest[1];
  return {
    rooms,
    start: of('start')[0]?.[0] ?? rooms[0] ?? '',
    ways,
    keys: placed('key'),
    items: placed('item'),
    goal: { kind: goal, item: item === '' ? kind.items[0]! : item, room: room ?? rooms.at(-1) ?? '' },
  };
}

export function writeGraph({ rooms, start, ways, keys, items, goal }: Graph, kind: RoomsKind): string {
  const way = ({ from, direction, to, color }: Way): string =>
    `${color === null ? 'edge' : 'door'}: ${from} ${kind.directions[direction]} ${to}${color === null ? '' : ` ${color}`}`;
  const wanted = { reach: goal.room, take: goal.item, bring: `${goal.item} ${goal.room}` }[goal.kind] ?? '';
  return [
    `rooms: ${rooms.join(' ')}`,
    `start: ${start}`,
    ...ways.map(way),
    ...kind.colors.filter((c) => keys[c]).map((c) => `key: ${c} ${keys[c]}`),
    ...kind.items.filter((i) => items[i]).map((i) => `item: ${i} ${items[i]}`),
    `goal: ${goal.kind} ${wanted}`,
  ].join('\n');
}

/** The way out of a room in a direction, seen from that room. */
export function exitOf({ ways }: Graph, room: string, direction: number): { to: string; color: string | null } | null {
  for (const way of ways) {
    if (way.from === room && way.direction === direction) return { to: way.to, color: way.color };
    if (way.to === room && opposite(way.direction) === direction) return { to: way.from, color: way.color };
  }
  return null;
}

/** Makes, changes or removes (`to` null) the way out of a room; a way that was in its place at the other end goes. */
export function setExit(graph: Graph, room: string, direction: number, to: string | null, color: string | null): Graph {
  const uses = (way: Way, end: string, side: number): boolean =>
    (way.from === end && way.direction === side) || (way.to === end && opposite(way.direction) === side);
  if (to !== null && exitOf(graph, room, direction)?.to === to)
    return { ...graph, ways: graph.ways.map((way) => (uses(way, room, direction) ? { ...way, color } : way)) };
  const ways = graph.ways.filter(
    (way) => !uses(way, room, direction) && !(to !== null && uses(way, to, opposite(direction))),
  );
  return { ...graph, ways: to === null ? ways : [...ways, { from: room, direction, to, color }] };
}

/** A new room behind an exit, or apart from the others; the same graph once all names are used. */
export function addRoom(graph: Graph, kind: RoomsKind, from?: string, direction?: number): Graph {
  const name = kind.names.find((n) => !graph.rooms.includes(n));
  if (name === undefined) return graph;
  const grown = { ...graph, rooms: [...graph.rooms, name], start: graph.start === '' ? name : graph.start };
  return from === undefined || direction === undefined ? grown : setExit(grown, from, direction, name, null);
}

const without = (record: Readonly<Record<string, string>>, room: string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).filter(([, at]) => at !== room));

/** Removes a room with its ways and what is in it; the last room stays. */
export function removeRoom(graph: Graph, room: string): Graph {
  const rooms = graph.rooms.filter((r) => r !== room);
  if (rooms.length === 0) return graph;
  return {
    rooms,
    start: graph.start === room ? rooms[0]! : graph.start,
    ways: graph.ways.filter((way) => way.from !== room && way.to !== room),
    keys: without(graph.keys, room),
    items: without(graph.items, room),
    goal: graph.goal.room === room ? { ...graph.goal, room: rooms.at(-1)! } : graph.goal,
  };
}

/** Gives a room another name everywhere. */
export function renameRoom(graph: Graph, from: string, to: string): Graph {
  if (graph.rooms.includes(to)) return graph;
  const now = (room: string): string => (room === from ? to : room);
  const moved = (record: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([what, room]) => [what, now(room)]));
  return {
    rooms: graph.rooms.map(now),
    start: now(graph.start),
    ways: graph.ways.map((way) => ({ ...way, from: now(way.from), to: now(way.to) })),
    keys: moved(graph.keys),
    items: moved(graph.items),
    goal: { ...graph.goal, room: now(graph.goal.room) },
  };
}
