import { keysHeld } from '../grid/rules.ts';
import { KIND } from '../grid/level.ts';
import type { GridLevel } from '../grid/grid.ts';
import { has, SHIFT } from '../sokoban/board.ts';
import type { SokobanLevel } from '../sokoban/sokoban.ts';

/** Writes what is left of a state when dead features are dropped into its place. */
export type Reduce = (level: never, state: Uint32Array, at: number) => void;

/**
 * Sokoban: boxes, and the smallest square that the player can reach without pushing. Success is the same from all such
 * states where the step limit does not bind and steps cost nothing.
 */
function reduceSokoban({ rules: { map } }: SokobanLevel, state: Uint32Array, at: number): void {
  const known = new Set([state[at]!]);
  for (const square of known) {
    for (const shift of SHIFT) {
      const to = square + shift;
      if (!has(map.walls, 0, to) && !has(state, at + 1, to)) known.add(to);
    }
  }
  state[at] = Math.min(...known);
}

/**
 * Grid: a color whose locked doors are all open, or that has none, needs no keys any more: they are neither held nor lying
 * there. Of a color that is held it does not matter where its keys lay. Not where all keys have to be found, where taking a
 * key pays, or where the agent turns and picks up, because then a key is worth something by itself.
 */
function reduceGrid({ rules: { map, turn, rewards } }: GridLevel, state: Uint32Array, at: number): void {
  if (turn || map.hasExit || rewards.subgoal !== 0) return;
  let open = 0;
  for (let cell = 0; cell < map.kind.length; cell++) {
    if (map.kind[cell] === KIND.lockedDoor && ((state[at + 1]! >>> map.index[cell]!) & 1) === 0)
      open |= 1 << map.color[cell]!;
  }
  const held = keysHeld(state[at]!) & open;
  for (let cell = 0; cell < map.kind.length; cell++) {
    if (map.kind[cell] !== KIND.key) continue;
    const isDead = ((open >>> map.color[cell]!) & 1) === 0 || ((held >>> map.color[cell]!) & 1) === 1;
    if (isDead) state[at + 2] = (state[at + 2]! | (1 << map.index[cell]!)) >>> 0;
  }
  state[at] = ((state[at]! & ~(15 << 12)) | (held << 12)) >>> 0;
}

/** How states of an environment are reduced, by its id; nothing is dropped in any other. */
export const reductions: Readonly<Record<string, Reduce>> = { sokoban: reduceSokoban, grid: reduceGrid };
