import type { TensorSpec } from './state.ts';

/**
 * Counts by 64-bit keys: a hash table with open addressing in u32 words (key high, key low, count), count 0 = free. Where a
 * key stands depends on what came before it; which keys are in, and their counts, do not: all new keys of a batch are in,
 * or, where they do not all fit, none.
 */
export const SLOTS = 1 << 14;
export const SLOT_WORDS = 3;
const MOST_COUNT = 0xffffffff;
/** Words in which the new keys of a batch find their slots on a device. */
export const CLAIM_WORDS = 2 * SLOTS + 1;

export const countTable: TensorSpec = {
  ...{ type: 'u32', per: 'replica', width: SLOTS * SLOT_WORDS, onFork: 'keep', onDevice: true },
};

/** Slot at which the search for a key begins; the same function as in counts.wgsl. */
export function firstSlot(high: number, low: number): number {
  return (mix(mix(high) ^ low) & (SLOTS - 1)) >>> 0;
}

function mix(x: number): number {
  let h = x | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Word of the slot of a key, or of the free slot where it belongs; −1 where the table is full of others. */
export function placeOf(table: Uint32Array, high: number, low: number): number {
  let slot = firstSlot(high, low);
  for (let tries = 0; tries < SLOTS; tries++) {
    const at = SLOT_WORDS * slot;
    if (table[at + 2] === 0 || (table[at] === high && table[at + 1] === low)) return at;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return -1;
}

/** How often a key was counted. */
export function countOf(table: Uint32Array, high: number, low: number): number {
  const at = placeOf(table, high, low);
  return at < 0 ? 0 : table[at + 2]!;
}

/** Counts all keys [n, 2]: those that are in, and the new ones if every one of them finds a place. */
export function countAll(table: Uint32Array, keys: Uint32Array): void {
  const fresh: number[] = [];
  let fits = true;
  for (let k = 0; k < keys.length; k += 2) {
    const at = placeOf(table, keys[k]!, keys[k + 1]!);
    if (at < 0) {
      fits = false;
      continue;
    }
    if (table[at + 2] === 0) {
      table.set([keys[k]!, keys[k + 1]!], at);
      fresh.push(at);
    }
    // 0 is a free slot: a count ends at the largest number instead of beginning again
    if (table[at + 2]! < MOST_COUNT) table[at + 2]!++;
  }
  // the new ones stand behind all others of their search, so that taking all of them out leaves no gap
  if (!fits) for (const at of fresh) table.fill(0, at, at + SLOT_WORDS);
}

/** Takes back what `countAll` counted. */
export function uncountAll(table: Uint32Array, keys: Uint32Array): void {
  const taken = new Map<number, number>();
  for (let k = 0; k < keys.length; k += 2) {
    const at = placeOf(table, keys[k]!, keys[k + 1]!);
    taken.set(at, (taken.get(at) ?? 0) + 1);
  }
  const kept: [high: number, low: number, count: number][] = [];
  for (let at = 0; at < table.length; at += SLOT_WORDS) {
    const count = table[at + 2]! - (taken.get(at) ?? 0);
    if (count > 0) kept.push([table[at]!, table[at + 1]!, count]);
  }
  // a search ends at the first free slot, so the others are put in again
  table.fill(0);
  for (const entry of kept) table.set(entry, placeOf(table, entry[0], entry[1]));
}
