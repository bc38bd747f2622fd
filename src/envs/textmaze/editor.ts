import type { RoomsKind } from '../editor.ts';
import { COLORS, DIRECTIONS, ITEMS, ROOM_NAMES } from './names.ts';

/** Mazes are built from rooms and ways between them. */
export const editor: RoomsKind = {
  form: 'rooms',
  names: ROOM_NAMES,
  directions: DIRECTIONS,
  colors: COLORS,
  items: ITEMS,
};
