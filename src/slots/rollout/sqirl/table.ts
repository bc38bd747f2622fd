import { placeOf, SLOT_WORDS, SLOTS } from '../../../contract/countTable.ts';
import { hashInto } from '../../../core/hash.ts';

/** Numbers of a stored step: its step t + 1 (0: none), level, key, action, thousandths, return to go, next key, 1 = it goes on. */
export const STEP = 10;
/** Words of a table of what was found: key of (t, level, state), action + 1. */
export const TABLE_WORDS = SLOTS * SLOT_WORDS;

/** “SQRL”: apart from hashes of states. */
const TAG = 0x5351524c;
const words = new Uint32Array(4);
const hashed = new Uint32Array(2);

/** Where the table holds what to do at step t in a state of a level; −1: it is full of others. */
function placeIn(table: Uint32Array, t: number, level: number, key: ArrayLike<number>, at: number): number {
  words[0] = t;
  words[1] = level;
  words[2] = key[at]!;
  words[3] = key[at + 1]!;
  hashInto(TAG, 0, words, 0, 4, hashed, 0);
  return placeOf(table, hashed[0]!, hashed[1]!);
}

/** The action found for step t in a state of a level; −1: none. */
export function foundAt(table: Uint32Array, t: number, level: number, key: ArrayLike<number>, at = 0): number {
  const place = placeIn(table, t, level, key, at);
  return place < 0 ? -1 : table[place + 2]! - 1;
}

export function putFound(table: Uint32Array, t: number, level: number, key: readonly number[], action: number): void {
  const place = placeIn(table, t, level, key, 0);
  if (place < 0) return;
  table.set([hashed[0]!, hashed[1]!, action + 1], place);
}
