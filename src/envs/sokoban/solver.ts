import { FLAG } from '../types.ts';
import { squaresOf } from './board.ts';
import type { SokobanMap } from './level.ts';
import { fewestMoves, type Search } from './moves.ts';
import { fewestPushes } from './pushes.ts';
import { EVENT, isSolved, resetState, stepToward, WORDS, type Rules } from './rules.ts';

/** States after which a solver gives up with "not solved here". Spec environments §3.5. */
export const GIVE_UP = 3_000_000;
/** The same for a path on screen, well under a second: states by moves, and by pushes times boxes³. */
const QUICK_MOVES = 400_000;
const QUICK_PUSHES = 2_500_000;

export type Solution = {
  /** `notSolvedHere` says nothing about the level; `unsolvable` means that every way was tried */
  readonly status: Search['status'];
  /** null where that search did not end */
  readonly minMoves: number | null;
  readonly minPushes: number | null;
  /** a solution with the fewest moves; with the fewest pushes */
  readonly moves: readonly number[] | null;
  readonly pushes: readonly number[] | null;
  /** states that both searches looked at */
  readonly states: number;
};

/** Both optima, each by its own search of at most `limit` states, verified by replay. */
export function solve(map: SokobanMap, limit = GIVE_UP): Solution {
  const pushes = fewestPushes(map, limit);
  const isHopeless = pushes.status === 'unsolvable';
  const moves: Search = isHopeless ? { ...pushes, states: 0 } : fewestMoves(map, limit);
  for (const { path } of [moves, pushes]) {
    if (path && replay(map, path) === null) throw new Error('A solution of the solver does not solve the level.');
  }
  const isFound = moves.path !== null || pushes.path !== null;
  return {
    status: isFound ? 'solved' : moves.status === 'unsolvable' ? 'unsolvable' : pushes.status,
    minMoves: moves.path ? moves.path.length : null,
    minPushes: pushes.path ? replay(map, pushes.path) : null,
    moves: moves.path,
    pushes: pushes.path,
    states: moves.states + pushes.states,
  };
}

/** Number of pushes if the actions solve the level exactly with the last one; null if they do not. */
export function replay(map: SokobanMap, actions: readonly number[]): number | null {
  const rewards = { step: 0, boxOn: 0, boxOff: 0, goal: 0, invalid: 0, dead: 0 };
  const rules: Rules = { map, T: 0xffff, rewards, deadEnd: false, slip: [0, 1, 0] };
  const state = new Uint32Array(WORDS);
  const result = { reward: 0, flags: 0 };
  let pushes = 0;
  resetState(rules, state, 0);
  if (actions.length === 0) return isSolved(map, state, 1) ? 0 : null;
  for (const [k, action] of actions.entries()) {
    stepToward(rules, state, 0, action, result);
    if ((result.flags & EVENT.push) !== 0) pushes++;
    if (((result.flags & FLAG.success) !== 0) !== (k === actions.length - 1)) return null;
  }
  return pushes;
}

/** A path to success: fewest moves, or on boards too large for that fewest pushes; null if none was found quickly. */
export function shortestPath(map: SokobanMap): readonly number[] | null {
  const moves = fewestMoves(map, QUICK_MOVES);
  if (moves.status !== 'notSolvedHere') return moves.path;
  return fewestPushes(map, Math.ceil(QUICK_PUSHES / squaresOf(map.boxes).length ** 3)).path;
}
