import { has, SHIFT, squaresOf } from './board.ts';
import { Field } from './field.ts';
import { floorOf, type SokobanMap } from './level.ts';
import { StateSet } from './stateSet.ts';

export type Search = {
  readonly status: 'solved' | 'unsolvable' | 'notSolvedHere';
  /** actions of a shortest solution */
  readonly path: readonly number[] | null;
  /** states known at the end */
  readonly states: number;
};

/** First state of a search as bytes: square of the player, then the squares of the boxes, ascending. */
export function firstBytes(map: SokobanMap): Uint8Array {
  return Uint8Array.from([map.player, ...squaresOf(map.boxes)]);
}

/** Puts byte b of an ascending list back in order after it changed. */
export function resort(state: Uint8Array, b: number): void {
  const box = state[b]!;
  let at = b;
  for (; at > 1 && state[at - 1]! > box; at--) state[at] = state[at - 1]!;
  for (; at < state.length - 1 && state[at + 1]! < box; at++) state[at] = state[at + 1]!;
  state[at] = box;
}

/** True if every box of a search state stands on a target. */
export function isHome(map: SokobanMap, state: Uint8Array): boolean {
  for (let b = 1; b < state.length; b++) if (!has(map.targets, 0, state[b]!)) return false;
  return true;
}

/** What a visited state calls for: continuing, stopping the search, or not continuing from it. */
type Visit = (state: Uint8Array) => 'go' | 'stop' | 'end';

/**
 * Breadth first over (player, boxes), actions ascending. `visit` sees each new state once, the first one included.
 * Pushes onto dead squares are left out where `isDead` says so.
 */
function walk(
  map: SokobanMap,
  limit: number,
  isDead: (square: number) => boolean,
  visit: Visit,
): { known: StateSet; parent: number[]; status: 'stopped' | 'exhausted' | 'limit' } {
  const first = firstBytes(map);
  const field = new Field(floorOf(map));
  const known = new StateSet(first.length);
  const parent: number[] = [-1];
  /** bit per state: nobody continues from it */
  const ended = new Uint8Array((limit >>> 3) + 1);
  const state = first.slice();
  const next = first.slice();
  known.add(first);
  const seen = visit(first);
  if (seen === 'stop') return { known, parent, status: 'stopped' };
  if (seen === 'end') return { known, parent, status: 'exhausted' };
  for (let s = 0; s < known.count; s++) {
    if (((ended[s >>> 3]! >>> (s & 7)) & 1) === 1) continue;
    known.copy(s, state);
    field.place(state, 1);
    for (let a = 0; a < 4; a++) {
      const d = SHIFT[a]!;
      const to = state[0]! + d;
      next.set(state);
      next[0] = to;
      if (field.blocked[to] === 1) {
        const b = state.indexOf(to, 1);
        if (b < 0 || field.blocked[to + d] === 1 || isDead(to + d)) continue;
        next[b] = to + d;
        resort(next, b);
      }
      const number = known.add(next);
      if (number < 0) continue;
      parent.push(s);
      const wish = visit(next);
      if (wish === 'stop') return { known, parent, status: 'stopped' };
      if (wish === 'end') ended[number >>> 3]! |= 1 << (number & 7);
      if (known.count >= limit) return { known, parent, status: 'limit' };
    }
    field.place(state, 0);
  }
  return { known, parent, status: 'exhausted' };
}

/** A solution with the fewest moves. At most `limit` states are looked at. Spec environments §3.5. */
export function fewestMoves(map: SokobanMap, limit: number): Search {
  const { known, parent, status } = walk(
    map,
    limit,
    (square) => has(map.dead, 0, square),
    (state) => (isHome(map, state) ? 'stop' : 'go'),
  );
  const states = known.count;
  if (status === 'exhausted') return { status: 'unsolvable', path: null, states };
  if (status === 'limit') return { status: 'notSolvedHere', path: null, states };
  const path: number[] = [];
  for (let s = states - 1; parent[s]! >= 0; s = parent[s]!) {
    path.push(SHIFT.indexOf((known.head(s) - known.head(parent[s]!)) as (typeof SHIFT)[number]));
  }
  return { status: 'solved', path: path.reverse(), states };
}

/** How many states (player, boxes) can be reached, unfinished and finished; null if there are more than `limit` in all. */
export function countStates(map: SokobanMap, limit: number): { unfinished: number; finished: number } | null {
  let finished = 0;
  const { known, status } = walk(
    map,
    limit,
    () => false,
    (state) => {
      if (!isHome(map, state)) return 'go';
      finished++;
      return 'end';
    },
  );
  return status === 'exhausted' ? { unfinished: known.count - finished, finished } : null;
}
