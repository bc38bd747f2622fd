import { PushDistances } from './assignment.ts';
import { has, insert, MASK_WORDS, SHIFT } from './board.ts';
import { isFrozen } from './deadlocks.ts';
import { Field } from './field.ts';
import { floorOf, type SokobanMap } from './level.ts';
import { firstBytes, isHome, resort, type Search } from './moves.ts';
import { StateSet } from './stateSet.ts';

/** One push: where the box was, and the direction. */
type Push = { readonly box: number; readonly direction: number };

/** Numbers in order of priority; equal priorities last in, first out. */
class Buckets {
  private readonly lists: number[][] = [];
  private least = 0;

  push(priority: number, value: number): void {
    (this.lists[priority] ??= []).push(value);
    this.least = Math.min(this.least, priority);
  }
  /** The value of least priority; −1 when there is none. */
  pop(): number {
    for (; this.least < this.lists.length; this.least++) {
      const value = this.lists[this.least]?.pop();
      if (value !== undefined) return value;
    }
    return -1;
  }
}

/**
 * A solution with the fewest pushes: A* over (boxes, region of the player); walking is free. The bound is the cheapest
 * assignment of boxes to targets, which never falls by more than one per push, so no state is opened twice. Dead squares
 * and frozen boxes are left out. With `bounded` off it is a breadth-first search. At most `limit` states are looked at.
 */
export function fewestPushes(map: SokobanMap, limit: number, bounded = true): Search {
  const first = firstBytes(map);
  const field = new Field(floorOf(map));
  const known = new StateSet(first.length);
  const distances = bounded ? new PushDistances(map) : null;
  const cost: number[] = [];
  const parent: number[] = [];
  const pushed: Push[] = [];
  const closed: boolean[] = [];
  const open = new Buckets();
  const boxes = new Uint32Array(MASK_WORDS);
  const isLost = (state: Uint8Array, box: number): boolean => {
    if (has(map.targets, 0, box)) return false;
    boxes.fill(0);
    for (let b = 1; b < state.length; b++) insert(boxes, 0, state[b]!);
    return isFrozen(map, boxes, 0, box);
  };
  /** Books a state that was reached by `g` pushes; byte 0 is any square of the player's region. */
  const reach = (state: Uint8Array, g: number, from: number, push: Push): void => {
    const bound = distances ? distances.bound(state) : 0;
    if (bound === Infinity) return;
    field.place(state, 1);
    state[0] = field.fill(state[0]!);
    field.place(state, 0);
    const number = known.add(state);
    const s = number < 0 ? -1 - number : number;
    if (number < 0 && (closed[s] || cost[s]! <= g)) return;
    cost[s] = g;
    parent[s] = from;
    pushed[s] = push;
    open.push(g + bound, s);
  };
  const state = first.slice();
  const next = first.slice();
  reach(first.slice(), 0, -1, { box: 0, direction: 0 });
  for (let s = open.pop(); s >= 0; s = open.pop()) {
    if (closed[s]) continue;
    closed[s] = true;
    known.copy(s, state);
    if (isHome(map, state))
      return { status: 'solved', path: walkOut(map, pushesTo(s, parent, pushed)), states: known.count };
    if (known.count >= limit) return { status: 'notSolvedHere', path: null, states: known.count };
    for (const { b, direction } of pushesFrom(map, field, state)) {
      const d = SHIFT[direction]!;
      const box = state[b]!;
      next.set(state);
      next[0] = box;
      next[b] = box + d;
      resort(next, b);
      if (!isLost(next, box + d)) reach(next, cost[s]! + 1, s, { box, direction });
    }
  }
  return { status: 'unsolvable', path: null, states: known.count };
}

/** Pushes that the player can reach and that do not end on a dead square. */
function pushesFrom(map: SokobanMap, field: Field, state: Uint8Array): { b: number; direction: number }[] {
  const list: { b: number; direction: number }[] = [];
  field.place(state, 1);
  field.fill(state[0]!);
  for (let b = 1; b < state.length; b++) {
    for (let direction = 0; direction < 4; direction++) {
      const d = SHIFT[direction]!;
      const to = state[b]! + d;
      if (field.reaches(state[b]! - d) && field.blocked[to] === 0 && !has(map.dead, 0, to)) list.push({ b, direction });
    }
  }
  field.place(state, 0);
  return list;
}

function pushesTo(s: number, parent: readonly number[], pushed: readonly Push[]): Push[] {
  const list: Push[] = [];
  for (let at = s; parent[at]! >= 0; at = parent[at]!) list.push(pushed[at]!);
  return list.reverse();
}

/** Actions of the pushes with the shortest walks between them. */
function walkOut(map: SokobanMap, pushes: readonly Push[]): number[] {
  const field = new Field(floorOf(map));
  const state = firstBytes(map);
  field.place(state, 1);
  let player = map.player;
  const path: number[] = [];
  for (const { box, direction } of pushes) {
    const d = SHIFT[direction]!;
    path.push(...shortestWalk(field, player, box - d), direction);
    field.blocked[box] = 0;
    field.blocked[box + d] = 1;
    player = box;
  }
  return path;
}

function shortestWalk(field: Field, from: number, to: number): number[] {
  const by = new Map<number, number>([[from, -1]]);
  const queue = [from];
  for (let head = 0; head < queue.length && !by.has(to); head++) {
    SHIFT.forEach((d, action) => {
      const next = queue[head]! + d;
      if (field.blocked[next] === 1 || by.has(next)) return;
      by.set(next, action);
      queue.push(next);
    });
  }
  const path: number[] = [];
  for (let at = to; at !== from; at -= SHIFT[path.at(-1)!]!) path.push(by.get(at)!);
  return path.reverse();
}
