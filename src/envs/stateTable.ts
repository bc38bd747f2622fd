import type { Potential, Told } from '../contract/signals.ts';
import { discountedOptimum } from '../core/dp.ts';
import { INDEX_LIMIT } from './indexTable.ts';
import { enumerate, type Enumeration } from './enumerate.ts';
import { FLAG, type Environment } from './types.ts';

/**
 * Facts of all states of a level as u32 words, found by the key of a state; `stateTable.wgsl` is the twin of what reads
 * them.
 *
 *   0 milestones K · 1 rows n of distances · 2 distance of the start · 3 largest distance · 4 rows of values ·
 *   from 8 K milestones of two words · n rows (key high, key low, distance), keys ascending · rows (key high, key low, V*)
 */
export const HEADER = 8;

/** Steps to the goal that stand for "there is no way". */
export const NO_WAY = 0xffffffff;
/** Largest discount of V*: above it value iteration would take seconds. */
const MOST_GAMMA = 0.999;

/**
 * A milestone is a test of one state. `bit`: bit `at` of word `word` is set; `least`: the four bits from bit `at` of it are
 * at least `value`; `near`: at most `value` steps are left; `success`.
 */
export type Milestone =
  | { readonly kind: 'bit' | 'least'; readonly word: number; readonly at: number; readonly value: number }
  | { readonly kind: 'near'; readonly value: number }
  | { readonly kind: 'success' };
const KINDS = { bit: 0, least: 1, near: 2, success: 3 } as const;

/** Fewest steps to success from every state where chance is kind, by one backward breadth-first search; −1: none. */
export function distancesOf({ model }: Pick<Enumeration, 'model'>): Int32Array {
  const { states: n, actions, offset, next, success } = model;
  const from: number[][] = Array.from({ length: n }, () => []);
  const distance = new Int32Array(n).fill(-1);
  let here: number[] = [];
  for (let s = 0; s < n; s++)
    for (let sa = s * actions; sa < (s + 1) * actions; sa++) {
      if (success[sa]! > 0 && distance[s]! < 0) {
        distance[s] = 1;
        here.push(s);
      }
      for (let k = offset[sa]!; k < offset[sa + 1]!; k++) if (next[k]! >= 0) from[next[k]!]!.push(s);
    }
  for (let d = 2; here.length > 0; d++) {
    const after: number[] = [];
    for (const to of here)
      for (const s of from[to]!)
        if (distance[s]! < 0) {
          distance[s] = d;
          after.push(s);
        }
    here = after;
  }
  return distance;
}

type KeyOf = (states: Uint32Array, at: number, out: Uint32Array, outAt: number) => void;

/** Rows (key high, key low, number) of all states, keys ascending. */
function rowsOf(states: Uint32Array, words: number, keyOf: KeyOf, numberOf: (s: number) => number): Uint32Array {
  const rows = Array.from({ length: states.length / words }, (_, s) => {
    const row = new Uint32Array(3);
    keyOf(states, s * words, row, 0);
    row[2] = numberOf(s);
    return row;
  }).sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
  const all = new Uint32Array(3 * rows.length);
  rows.forEach((row, k) => all.set(row, 3 * k));
  return all;
}

/** The rows of V* of a level; empty where Φ is something else, null where the level has too many states. */
export function valueRows<L>(env: Environment<L>, level: L, { of, gamma }: Potential): Uint32Array | null {
  if (of !== 'value') return new Uint32Array(0);
  const all = enumerate(env, level, INDEX_LIMIT);
  if (!all) return null;
  const V = Float32Array.from(discountedOptimum(all.model, Math.min(gamma, MOST_GAMMA), 1e-9));
  const bits = new Uint32Array(V.buffer);
  const keyOf: KeyOf = (states, at, out, outAt) => env.key(level, states, at, out, outAt);
  return rowsOf(all.states, env.words, keyOf, (s) => bits[s]!);
}

/** A level in which distances are those of `level`, and the key that finds them. */
export type Measured<L> = { readonly level: L; readonly keyOf: KeyOf };

/** The table of a level; null if it has too many states. `milestonesOf`: from the distance of the start. */
export function stateTable<L>(
  env: Environment<L>,
  level: L,
  { level: still, keyOf }: Measured<L>,
  milestonesOf: (start: number) => readonly Milestone[],
  potential: Potential,
): Uint32Array | null {
  const all = enumerate(env, still, INDEX_LIMIT);
  const values = valueRows(env, level, potential);
  if (!all || !values) return null;
  const distance = distancesOf(all);
  const milestones = milestonesOf(distance[0]!);
  const rows = rowsOf(all.states, env.words, keyOf, (s) => (distance[s]! < 0 ? NO_WAY : distance[s]!));
  const table = new Uint32Array(HEADER + 2 * milestones.length + rows.length + values.length);
  const most = distance.reduce((a, b) => Math.max(a, b), 1);
  table.set([milestones.length, rows.length / 3, Math.max(1, distance[0]!), most, values.length / 3]);
  milestones.forEach((m, k) => {
    const [word, at] = 'word' in m ? [m.word, m.at] : [0, 0];
    table.set([KINDS[m.kind] | (word << 8) | (at << 16), 'value' in m ? m.value : 0], HEADER + 2 * k);
  });
  table.set(rows, HEADER + 2 * milestones.length);
  table.set(values, HEADER + 2 * milestones.length + rows.length);
  return table;
}

/** The number beside a key among `rows` rows from word `at` on, by binary search; null where the key is not there. */
export function numberAt(table: Uint32Array, at: number, rows: number, key: Uint32Array): number | null {
  let low = 0;
  let high = rows;
  while (low < high) {
    const mid = (low + high) >>> 1;
    const k = at + 3 * mid;
    if (table[k]! < key[0]! || (table[k] === key[0] && table[k + 1]! < key[1]!)) low = mid + 1;
    else high = mid;
  }
  const k = at + 3 * low;
  return low < rows && table[k] === key[0] && table[k + 1] === key[1] ? table[k + 2]! : null;
}

const key = new Uint32Array(2);
const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** V* of a state that is not over; 0 where it is. */
export function valueAt(table: Uint32Array, at: number, rows: number, stateKey: Uint32Array): number {
  word[0] = numberAt(table, at, rows, stateKey) ?? 0;
  return float[0]!;
}

function holds(
  table: Uint32Array,
  at: number,
  state: Uint32Array,
  from: number,
  d: number,
  isSuccess: boolean,
): boolean {
  const test = table[at]!;
  const value = table[at + 1]!;
  const field = state[from + ((test >>> 8) & 255)]! >>> (test >>> 16);
  switch (test & 255) {
    case KINDS.bit:
      return (field & 1) === 1;
    case KINDS.least:
      return (field & 15) >= value;
    case KINDS.near:
      return d <= value;
    default:
      return isSuccess;
  }
}

/** What a table says of a state; `status`: that of its clock word. `keyOf` finds distances, `stateKey` values. */
export function tellFrom(
  table: Uint32Array,
  state: Uint32Array,
  at: number,
  { status, keyOf, stateKey, of }: { status: number; keyOf: KeyOf; stateKey: KeyOf; of: Potential['of'] },
  out: Told,
): void {
  const [milestones, rows, start, most, values] = [table[0]!, table[1]!, table[2]!, table[3]!, table[4]!];
  const rowsAt = HEADER + 2 * milestones;
  const isSuccess = (status & FLAG.success) !== 0;
  keyOf(state, at, key, 0);
  const d = isSuccess ? 0 : (status & FLAG.dead) !== 0 ? NO_WAY : (numberAt(table, rowsAt, rows, key) ?? NO_WAY);
  out.isLost = d === NO_WAY;
  out.cost = out.isLost ? 2 * start : d;
  let reached = 0;
  while (reached < milestones && holds(table, HEADER + 2 * reached, state, at, d, isSuccess)) reached++;
  out.reached = reached;
  out.completion = out.isLost ? 0 : 1 - d / most;
  out.phi = out.isLost ? -2 : -d / start;
  if (of !== 'value') return;
  stateKey(state, at, key, 0);
  out.phi = (status & FLAG.terminated) !== 0 ? 0 : valueAt(table, rowsAt + 3 * rows, values, key);
}
