import { hashInto, STATE_TAG } from '../../core/hash.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { FLAG, type StepResult } from '../types.ts';
import { has, insert, MASK_WORDS, remove, SHIFT } from './board.ts';
import type { SokobanMap } from './level.ts';

export const FAMILY = 2;
/** Word 0: square of the player; 1–8: boxes; 9: clock | status << 16. */
export const WORDS = 10;
const CLOCK = 9;
/** Events of the Sokoban family in the flags of a step. */
export const EVENT = { push: 256, boxOn: 512, boxOff: 1024, deadSquare: 2048 } as const;

export type Rewards = {
  readonly step: number;
  readonly boxOn: number;
  readonly boxOff: number;
  readonly goal: number;
  readonly invalid: number;
  readonly dead: number;
};

/** A map and everything that shapes its rules. */
export type Rules = {
  readonly map: SokobanMap;
  readonly T: number;
  readonly rewards: Rewards;
  /** a push onto a dead square ends the episode */
  readonly deadEnd: boolean;
  /** weights of turned left / as meant / turned right */
  readonly slip: readonly [number, number, number];
};

/** Writes the first state of the map into its ten words: player, boxes, clock. */
export function resetState({ map }: Rules, state: Uint32Array, at: number): void {
  state[at] = map.player;
  state.set(map.boxes, at + 1);
  state[at + CLOCK] = 0;
}

/** True if every box stands on a target. */
export function isSolved(map: SokobanMap, boxes: Uint32Array, boxesAt: number): boolean {
  for (let w = 0; w < MASK_WORDS; w++) if ((boxes[boxesAt + w]! & ~map.targets[w]!) !== 0) return false;
  return true;
}

/** True if the player can walk or push in the direction; words that are no command name none. */
function isPossible(map: SokobanMap, state: Uint32Array, at: number, direction: number): boolean {
  if (direction > 3) return false;
  const to = state[at]! + SHIFT[direction]!;
  if (has(map.walls, 0, to)) return false;
  if (!has(state, at + 1, to)) return true;
  const beyond = to + SHIFT[direction]!;
  return !has(map.walls, 0, beyond) && !has(state, at + 1, beyond);
}

/** Direction in which the player really goes, drawn by the slip weights (slot 0 of the step). Spec environments §6. */
function slipped({ slip }: Rules, direction: number, t: number, seed: number): number {
  const [left, straight, right] = slip;
  if (left + right === 0 || direction > 3) return direction;
  const u = below(random(seed, PURPOSE.step, t, 0, 0), left + straight + right);
  return u < left ? (direction + 3) & 3 : u < left + straight ? direction : (direction + 1) & 3;
}

/** One step in place (spec environments §1.3 and §3.1). Finished states do not change. */
export function stepState(
  rules: Rules,
  state: Uint32Array,
  at: number,
  action: number,
  episodeSeed: number,
  result: StepResult,
): void {
  const clock = state[at + CLOCK]!;
  const direction = clock >>> 16 === 0 ? slipped(rules, action, clock & 0xffff, episodeSeed) : action;
  stepToward(rules, state, at, direction, result);
}

/** A step whose direction is given: what `stepState` does once chance has spoken. */
export function stepToward(rules: Rules, state: Uint32Array, at: number, direction: number, result: StepResult): void {
  const { map, rewards } = rules;
  const clock = state[at + CLOCK]!;
  if (clock >>> 16 !== 0) {
    result.reward = 0;
    result.flags = clock >>> 16;
    return;
  }
  let reward = rewards.step;
  let flags = 0;
  if (isPossible(map, state, at, direction)) {
    const to = state[at]! + SHIFT[direction]!;
    state[at] = to;
    if (has(state, at + 1, to)) {
      const beyond = to + SHIFT[direction]!;
      remove(state, at + 1, to);
      insert(state, at + 1, beyond);
      flags |= EVENT.push;
      const wasOn = has(map.targets, 0, to);
      const isOn = has(map.targets, 0, beyond);
      if (isOn && !wasOn) {
        flags |= EVENT.boxOn;
        reward += rewards.boxOn;
      }
      if (wasOn && !isOn) {
        flags |= EVENT.boxOff;
        reward += rewards.boxOff;
      }
      if (has(map.dead, 0, beyond)) {
        flags |= EVENT.deadSquare;
        if (rules.deadEnd) {
          flags |= FLAG.terminated | FLAG.dead;
          reward += rewards.dead;
        }
      }
    }
  } else {
    flags |= FLAG.invalid | FLAG.noEffect;
    reward += rewards.invalid;
  }
  if (isSolved(map, state, at + 1)) {
    flags |= FLAG.terminated | FLAG.success;
    reward += rewards.goal;
  }
  const t = clock & 0xffff;
  if ((flags & FLAG.terminated) === 0 && t + 1 >= rules.T) flags |= FLAG.truncated;
  state[at + CLOCK] = (t + 1) | ((flags & 15) << 16);
  result.reward = reward;
  result.flags = flags;
}

/** 64-bit key over everything but the clock. */
export function keyOf(state: Uint32Array, at: number, out: Uint32Array, outAt: number): void {
  hashInto(STATE_TAG, FAMILY, state, at, WORDS - 1, out, outAt);
}

/** Bit a = 1 unless the action would be INVALID here (slips aside). */
export function possibleActions(map: SokobanMap, state: Uint32Array, at: number): number {
  let bits = 0;
  for (let a = 0; a < 4; a++) if (isPossible(map, state, at, a)) bits |= 1 << a;
  return bits;
}
