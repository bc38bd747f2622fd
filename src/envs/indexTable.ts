import { enumerate } from './enumerate.ts';
import type { Environment } from './types.ts';

/** Most states a table of logits may have. */
export const INDEX_LIMIT = 20_000;

/** Keys of all states of a level, ascending by (high, low); the row of a state is the rank of its key. */
export type IndexTable = { readonly keys: Uint32Array; readonly rows: number };

/** The table of a level; null if it has too many states. */
export function indexTable<L>(env: Environment<L>, level: L): IndexTable | null {
  const all = enumerate(env, level, INDEX_LIMIT);
  if (!all) return null;
  const rows = all.model.states;
  const pairs = Array.from({ length: rows }, (_, s) => {
    const key = new Uint32Array(2);
    env.key(level, all.states, s * env.words, key, 0);
    return key;
  }).sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
  const keys = new Uint32Array(rows * 2);
  pairs.forEach((key, k) => keys.set(key, 2 * k));
  return { keys, rows };
}

/**
 * Rank of a key (high, low) in the table, by binary search. A key that is not there, as that of a finished state, gets
 * the rank where it would be.
 */
export function rowOfKey({ keys, rows }: IndexTable, key: Uint32Array): number {
  let low = 0;
  let high = rows - 1;
  while (low < high) {
    const mid = (low + high) >>> 1;
    const isBelow = keys[2 * mid]! < key[0]! || (keys[2 * mid]! === key[0]! && keys[2 * mid + 1]! < key[1]!);
    if (isBelow) low = mid + 1;
    else high = mid;
  }
  return low;
}
