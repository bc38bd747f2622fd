import { defineSignals, type WorldSignals } from '../../contract/signals.ts';
import { hasValues } from '../countable.ts';
import { valueAt, valueRows } from '../stateTable.ts';
import { FLAG, type Environment } from '../types.ts';
import { has, MASK_WORDS, SHIFT, SIDE, squaresOf } from './board.ts';
import type { SokobanMap } from './level.ts';
import { keyOf, WORDS } from './rules.ts';
import type { SokobanLevel } from './sokoban.ts';

/**
 * Words of a table: 0 targets N · 1 pushes M of the start · 2 rows of values · 3 is M an assignment? · from 8, for each
 * target, pushes that a lone box needs from each of 256 squares · rows (key high, key low, V*).
 */
const HEADER = 8;
const SQUARES = SIDE * SIDE;
/** Pushes that stand for "there is no way"; their sum fits in a word. */
const FAR = 10_000;
/** Boxes up to which every assignment is tried; beyond it each box counts the way to the nearest target. */
const ASSIGNED = 4;

/** Pushes that a lone box needs from each square to a target, the side of the player aside: breadth first over pulls. */
function pullsFrom(map: SokobanMap, target: number, out: Uint32Array): void {
  out.fill(FAR);
  out[target] = 0;
  const queue = [target];
  for (let head = 0; head < queue.length; head++) {
    const box = queue[head]!;
    for (const d of SHIFT) {
      const to = box + d;
      if (has(map.walls, 0, to) || has(map.walls, 0, to + d) || out[to] !== FAR) continue;
      out[to] = out[box]! + 1;
      queue.push(to);
    }
  }
}

const costs = new Uint32Array(1 << ASSIGNED);

/** M: fewest pushes that bring every box to its own target, other boxes ignored; FAR or more where that is impossible. */
function pushesLeft(table: Uint32Array, state: Uint32Array, at: number): number {
  const N = table[0]!;
  const wayOf = (k: number, square: number): number => table[HEADER + k * SQUARES + square]!;
  costs.fill(FAR);
  costs[0] = 0;
  let boxes = 0;
  let nearest = 0;
  for (let square = 0; square < SQUARES; square++) {
    if (!has(state, at + 1, square)) continue;
    let least = FAR;
    for (let k = 0; k < N; k++) least = Math.min(least, wayOf(k, square));
    nearest += least;
    if (table[3] === 1) assign(table, square, boxes);
    boxes++;
  }
  return table[3] === 1 ? costs[(1 << N) - 1]! : nearest;
}

/** Adds the next box: cost of each set of targets that the boxes so far may stand on, largest sets first. */
function assign(table: Uint32Array, square: number, boxes: number): void {
  const N = table[0]!;
  for (let set = (1 << N) - 1; set > 0; set--) {
    let [size, best] = [0, FAR];
    for (let k = 0; k < N; k++) {
      if (((set >> k) & 1) === 0) continue;
      size++;
      best = Math.min(best, costs[set & ~(1 << k)]! + table[HEADER + k * SQUARES + square]!);
    }
    if (size === boxes + 1) costs[set] = best;
  }
}

/** True if a box off target stands in a block of 2 × 2 walls and boxes. */
function isBlocked(map: SokobanMap, state: Uint32Array, at: number): boolean {
  const isFull = (square: number): boolean => has(map.walls, 0, square) || has(state, at + 1, square);
  for (let square = 0; square < SQUARES - SIDE - 1; square++) {
    const block = [square, square + 1, square + SIDE, square + SIDE + 1];
    if (!block.every(isFull)) continue;
    if (block.some((s) => has(state, at + 1, s) && !has(map.targets, 0, s))) return true;
  }
  return false;
}

const region = new Uint8Array(SQUARES);
const queue = new Uint8Array(SQUARES);
const simple = new Uint32Array(WORDS);

/** First square in reading order that the player can walk to. */
function placeOf(map: SokobanMap, state: Uint32Array, at: number): number {
  region.fill(0);
  let least = state[at]!;
  let tail = 1;
  queue[0] = least;
  region[least] = 1;
  for (let head = 0; head < tail; head++)
    for (const d of SHIFT) {
      const to = queue[head]! + d;
      if (region[to] === 1 || has(map.walls, 0, to) || has(state, at + 1, to)) continue;
      region[to] = 1;
      if (to < least) least = to;
      queue[tail++] = to;
    }
  return least;
}

const key = new Uint32Array(2);

/** What Sokoban tells beside its reward. Spec methods/reward §1. */
export const sokobanSignals = (env: () => Environment<SokobanLevel>): WorldSignals<SokobanLevel> =>
  defineSignals<SokobanLevel>({
    fits: (level, potential) => hasValues(env(), level, potential),
    table(level, potential) {
      const { map } = level.rules;
      const values = valueRows(env(), level, potential);
      if (!values) return null;
      const targets = squaresOf(map.targets);
      const table = new Uint32Array(HEADER + targets.length * SQUARES + values.length);
      table.set([targets.length, 0, values.length / 3, targets.length <= ASSIGNED ? 1 : 0]);
      targets.forEach((target, k) => {
        pullsFrom(map, target, table.subarray(HEADER + k * SQUARES, HEADER + (k + 1) * SQUARES));
      });
      table.set(values, HEADER + targets.length * SQUARES);
      const start = new Uint32Array(WORDS);
      env().reset(level, start, 0);
      table[1] = Math.max(1, pushesLeft(table, start, 0));
      return table;
    },
    tell({ level, table, potential: { of } }, state, at, out) {
      const { map } = level.rules;
      const N = table[0]!;
      const M = pushesLeft(table, state, at);
      let on = 0;
      for (let square = 0; square < SQUARES; square++)
        if (has(map.targets, 0, square) && has(state, at + 1, square)) on++;
      out.isLost = M >= FAR || isBlocked(map, state, at);
      out.cost = out.isLost ? 2 * table[1]! : M;
      out.reached = on;
      out.completion = on / N;
      out.phi = out.isLost ? -2 : -M / table[1]!;
      if (of !== 'value') return;
      keyOf(state, at, key, 0);
      const isOver = ((state[at + WORDS - 1]! >>> 16) & FLAG.terminated) !== 0;
      out.phi = isOver ? 0 : valueAt(table, HEADER + N * SQUARES, table[2]!, key);
    },
    novelKey({ rules: { map } }, state, at, out, outAt) {
      for (let w = 0; w <= MASK_WORDS; w++) simple[w] = state[at + w]!;
      simple[0] = placeOf(map, state, at);
      keyOf(simple, 0, out, outAt);
    },
    cover(_level, state, at, _radius, add) {
      for (let square = 0; square < SQUARES; square++) if (has(state, at + 1, square)) add(square);
    },
    messages: async () => (await import('./messages.ts')).messages,
    milestone: 'completion',
    wastes: 'push',
    effort: 'pushes',
    wgsl: async () => (await import('./signalsWgsl.ts')).signalsWgsl,
  });
