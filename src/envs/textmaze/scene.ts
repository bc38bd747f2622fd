import type { Passage, Scene, SceneCell } from '../types.ts';
import type { Layout } from './layout.ts';
import { NONE } from './level.ts';
import { COLORS, ITEMS, ROOM_NAMES } from './names.ts';
import { isFalse } from './trust.ts';
import { hasItem, hasKey, hasSeen, isItemIn, isKeyIn, isLocked, roomOf, type Rules } from './rules.ts';

/** Stands in a room that tells its exits wrong. */
const WRONG_EXITS = 'wrong exits';

/** A room with what is in it now. Grounds: room, unseen (a room the agent has not been to). Items: goal key lamp coin cup, and `wrong exits`. */
function roomScene({ maze, falseExits }: Rules, state: Uint32Array, at: number, room: number): SceneCell {
  const w0 = state[at]!;
  return {
    ground: hasSeen(state[at + 2]!, room) || room === roomOf(w0) ? 'room' : 'unseen',
    label: ROOM_NAMES[maze.names[room]!]!,
    items: [
      ...(maze.goal.room === room ? [{ item: 'goal' }] : []),
      ...COLORS.flatMap((_, color) => (isKeyIn(maze, w0, color, room) ? [{ item: 'key', color }] : [])),
      ...ITEMS.flatMap((item, k) => (isItemIn(maze, w0, k, room) ? [{ item }] : [])),
      ...(isFalse(falseExits, room) ? [{ item: WRONG_EXITS }] : []),
    ],
  };
}

/** Drawing of a state: rooms as cells of a lattice (the rest is ground `void`), ways between them, and what is said. */
export function sceneOf(rules: Rules, layout: Layout, said: readonly string[], state: Uint32Array, at: number): Scene {
  const { maze } = rules;
  const cells = new Array<SceneCell>(layout.width * layout.height).fill({ ground: 'void' });
  maze.names.forEach((_, room) => {
    cells[layout.cellOf[room]!] = roomScene(rules, state, at, room);
  });
  const passages = maze.ways.map(({ a, b, color }, k): Passage => {
    const ends = { a: layout.cellOf[a]!, b: layout.cellOf[b]!, open: !isLocked(maze, state[at + 1]!, k) };
    return color === NONE ? ends : { ...ends, color };
  });
  const w0 = state[at]!;
  return {
    width: layout.width,
    height: layout.height,
    cells,
    passages,
    said,
    holding: [
      ...COLORS.filter((_, color) => hasKey(w0, color)).map((color) => `${color} key`),
      ...ITEMS.filter((_, item) => hasItem(w0, item)),
    ],
    agent: { cell: layout.cellOf[roomOf(w0)]!, direction: null },
  };
}
