import type { Environment, Subgoal } from '../types.ts';
import { has, squaresOf } from './board.ts';
import { resetState, stepToward, WORDS } from './rules.ts';
import type { SokobanLevel } from './sokoban.ts';

/** The targets, each to bring a box to, in the order in which a shortest solution fills them for good. */
export function subgoalsOf(env: Environment<SokobanLevel>, level: SokobanLevel): Subgoal[] {
  const path = env.shortestPath(level);
  if (!path) return [];
  const { rules } = level;
  const state = new Uint32Array(WORDS);
  const targets = squaresOf(rules.map.targets);
  const filled = new Map(targets.map((square) => [square, -1]));
  resetState(rules, state, 0);
  for (const [t, action] of path.entries()) {
    stepToward(rules, state, 0, action, { reward: 0, flags: 0 });
    for (const square of targets)
      if (!has(state, 1, square)) filled.set(square, path.length);
      else if (filled.get(square) === path.length) filled.set(square, t);
  }
  return targets
    .sort((a, b) => filled.get(a)! - filled.get(b)!)
    .map((square) => ({
      ...{ word: 1 + (square >>> 5), at: square & 31, mask: 1, least: 1, most: 1, place: square },
      says: ['bring', 'cell:box'],
    }));
}
