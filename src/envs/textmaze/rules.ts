import { hashInto, STATE_TAG } from '../../core/hash.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { FLAG, type StepResult } from '../types.ts';
import { ACTION, SYNTAX } from './commands.ts';
import { FAMILY } from './generate.ts';
import { NONE, opposite, type Maze } from './level.ts';

/**
 * State words: 0 room | keys held << 4 | items held << 8 · 1 opened doors, bit per way · 2 seen rooms | feedback << 16 ·
 * 3 clock | status << 16. What is possible depends on words 0 and 1 only; word 2 changes what is said.
 */
export const WORDS = 4;
/** Words that the key is made of. */
const KEY_WORDS = 2;

export const EVENT = { key: 256, unlock: 512, item: 1024, newRoom: 2048, meta: 4096, syntax: 8192 } as const;

/** What the last command led to; byte 2 of word 2. */
export const FEEDBACK = {
  start: 0,
  moved: 1,
  wall: 2,
  locked: 3,
  took: 4,
  opened: 5,
  absent: 6,
  noKey: 7,
  noDoor: 8,
  look: 9,
  plan: 10,
  recall: 11,
  syntax: 12,
} as const;

export type Rewards = {
  readonly goal: number;
  readonly step: number;
  readonly subgoal: number;
  readonly invalid: number;
  readonly syntax: number;
  readonly meta: number;
};

/** A maze with everything that shapes its rules. */
export type Rules = {
  readonly maze: Maze;
  /** bit r = 1: room r tells its exits a quarter turn off */
  readonly falseExits: number;
  readonly T: number;
  /** number of commands: 18, or 16 without plan and recall */
  readonly actions: number;
  /** weights of `go` turned left / as meant / turned right */
  readonly slip: readonly [number, number, number];
  readonly rewards: Rewards;
  /** [rooms*4] way behind each exit of a room, NONE for a wall */
  readonly exitWay: Int8Array;
  /** [rooms*4] room behind each exit, NONE for a wall */
  readonly exitRoom: Int8Array;
};

/** Way and room behind every exit, index room·4 + direction. */
export function exitsOf({ names, ways }: Maze): Pick<Rules, 'exitWay' | 'exitRoom'> {
  const exitWay = new Int8Array(4 * names.length).fill(NONE);
  const exitRoom = new Int8Array(4 * names.length).fill(NONE);
  ways.forEach(({ a, direction, b }, k) => {
    exitWay[4 * a + direction] = exitWay[4 * b + opposite(direction)] = k;
    exitRoom[4 * a + direction] = b;
    exitRoom[4 * b + opposite(direction)] = a;
  });
  return { exitWay, exitRoom };
}

export const roomOf = (w0: number): number => w0 & 15;
export const hasKey = (w0: number, color: number): boolean => ((w0 >>> (4 + color)) & 1) === 1;
export const hasItem = (w0: number, item: number): boolean => ((w0 >>> (8 + item)) & 1) === 1;
/** Keys and items held, as bits. */
export const keysHeld = (w0: number): number => (w0 >>> 4) & 15;
export const itemsHeld = (w0: number): number => (w0 >>> 8) & 7;
export const hasSeen = (w2: number, room: number): boolean => ((w2 >>> room) & 1) === 1;
export const feedbackOf = (w2: number): number => (w2 >>> 16) & 255;

/** True if the key of a color lies in the room and is not held. */
export function isKeyIn(maze: Maze, w0: number, color: number, room: number): boolean {
  return maze.keyRoom[color] === room && !hasKey(w0, color);
}
/** True if the item lies in the room and is not held. */
export function isItemIn(maze: Maze, w0: number, item: number, room: number): boolean {
  return maze.itemRoom[item] === room && !hasItem(w0, item);
}
/** True if way k is a door that is still locked. */
export function isLocked(maze: Maze, w1: number, k: number): boolean {
  return maze.ways[k]!.color !== NONE && ((w1 >>> k) & 1) === 0;
}

/** Writes the first state of the maze into its four words; only the start has been seen. */
export function resetState({ maze }: Rules, state: Uint32Array, at: number): void {
  state[at] = maze.start;
  state[at + 1] = 0;
  state[at + 2] = 1 << maze.start;
  state[at + 3] = 0;
}

/** 64-bit key as (high, low). */
export function keyOf(state: Uint32Array, at: number, out: Uint32Array, outAt: number): void {
  hashInto(STATE_TAG, FAMILY, state, at, KEY_WORDS, out, outAt);
}

// The step in progress. One at a time, so module scope avoids an object per step.
let reward = 0;
let flags = 0;
/** slip draw to use instead of a random one; for exact outcomes only */
let forced = NONE;

/** True if chance may turn this action: a walk, and slip that is not straight alone. */
export const canSlip = ({ slip }: Rules, action: number): boolean => action < ACTION.takeKey && slip[0] + slip[2] > 0;

/** Direction in which the agent really goes. */
function slipped({ slip }: Rules, direction: number, t: number, seed: number): number {
  const [left, straight, right] = slip;
  if (left + right === 0) return direction;
  const u = forced !== NONE ? forced : below(random(seed, PURPOSE.step, t, 0, 0), left + straight + right);
  if (u >= left && u < left + straight) return direction;
  return (direction + (u < left ? 3 : 1)) & 3;
}

function go(rules: Rules, state: Uint32Array, at: number, direction: number): number {
  const exit = 4 * roomOf(state[at]!) + direction;
  const to = rules.exitRoom[exit]!;
  if (to === NONE) return FEEDBACK.wall;
  if (isLocked(rules.maze, state[at + 1]!, rules.exitWay[exit]!)) return FEEDBACK.locked;
  state[at] = (state[at]! & ~15) | to;
  if (!hasSeen(state[at + 2]!, to)) flags |= EVENT.newRoom;
  state[at + 2]! |= 1 << to;
  return FEEDBACK.moved;
}

function takeKey(rules: Rules, state: Uint32Array, at: number, color: number): number {
  if (!isKeyIn(rules.maze, state[at]!, color, roomOf(state[at]!))) return FEEDBACK.absent;
  state[at]! |= 1 << (4 + color);
  flags |= EVENT.key;
  reward += rules.rewards.subgoal;
  return FEEDBACK.took;
}

/** Bits of the locked doors of a color around the agent. */
function doorsAround(rules: Rules, w0: number, w1: number, color: number): number {
  let doors = 0;
  for (let direction = 0; direction < 4; direction++) {
    const k = rules.exitWay[4 * roomOf(w0) + direction]!;
    if (k !== NONE && rules.maze.ways[k]!.color === color && isLocked(rules.maze, w1, k)) doors |= 1 << k;
  }
  return doors;
}

/** Opens every door of the color around the agent, at one reward. */
function unlock(rules: Rules, state: Uint32Array, at: number, color: number): number {
  const doors = doorsAround(rules, state[at]!, state[at + 1]!, color);
  if (doors === 0) return FEEDBACK.noDoor;
  if (!hasKey(state[at]!, color)) return FEEDBACK.noKey;
  state[at + 1]! |= doors;
  flags |= EVENT.unlock;
  reward += rules.rewards.subgoal;
  return FEEDBACK.opened;
}

/** Any item may be taken; only the goal's pays the subgoal reward. */
function takeItem(rules: Rules, state: Uint32Array, at: number, item: number): number {
  if (!isItemIn(rules.maze, state[at]!, item, roomOf(state[at]!))) return FEEDBACK.absent;
  state[at]! |= 1 << (8 + item);
  flags |= EVENT.item;
  if (item === rules.maze.goal.item) reward += rules.rewards.subgoal;
  return FEEDBACK.took;
}

/** Does what the command says; returns the feedback. */
function act(rules: Rules, state: Uint32Array, at: number, action: number, t: number, seed: number): number {
  if (action >= rules.actions) {
    flags |= EVENT.syntax | FLAG.invalid;
    reward += rules.rewards.syntax;
    return FEEDBACK.syntax;
  }
  if (action < ACTION.takeKey) return go(rules, state, at, slipped(rules, action, t, seed));
  if (action < ACTION.unlock) return takeKey(rules, state, at, action - ACTION.takeKey);
  if (action < ACTION.takeItem) return unlock(rules, state, at, action - ACTION.unlock);
  if (action < ACTION.look) return takeItem(rules, state, at, action - ACTION.takeItem);
  if (action === ACTION.look) return FEEDBACK.look;
  flags |= EVENT.meta;
  reward += rules.rewards.meta;
  return action === ACTION.plan ? FEEDBACK.plan : FEEDBACK.recall;
}

const isRefusal = (feedback: number): boolean =>
  feedback === FEEDBACK.wall ||
  feedback === FEEDBACK.locked ||
  (feedback >= FEEDBACK.absent && feedback <= FEEDBACK.noDoor);

function isGoalReached({ goal }: Maze, w0: number): boolean {
  return (goal.item < 0 || hasItem(w0, goal.item)) && (goal.room < 0 || roomOf(w0) === goal.room);
}

/** One step in place. Finished states do not change. */
export function stepState(
  rules: Rules,
  state: Uint32Array,
  at: number,
  action: number,
  seed: number,
  result: StepResult,
): void {
  const clock = state[at + 3]!;
  if (clock >>> 16 !== 0) {
    result.reward = 0;
    result.flags = clock >>> 16;
    return;
  }
  const t = clock & 0xffff;
  const w0 = state[at]!;
  const w1 = state[at + 1]!;
  reward = rules.rewards.step;
  flags = 0;
  // ids beyond the last command, −1 among them, are words that were no command
  const feedback = act(rules, state, at, action >>> 0 === action ? action : SYNTAX, t, seed);
  state[at + 2] = (state[at + 2]! & 0xffff) | (feedback << 16);
  if (isRefusal(feedback)) {
    flags |= FLAG.invalid;
    reward += rules.rewards.invalid;
  }
  if (state[at] === w0 && state[at + 1] === w1) flags |= FLAG.noEffect;
  if (isGoalReached(rules.maze, state[at]!)) {
    flags |= FLAG.terminated | FLAG.success;
    reward += rules.rewards.goal;
  } else if (t + 1 >= rules.T) flags |= FLAG.truncated;
  state[at + 3] = (t + 1) | ((flags & 15) << 16);
  result.reward = reward;
  result.flags = flags;
}

/** A step whose slip draw is given. */
export function stepForced(rules: Rules, state: Uint32Array, action: number, draw: number, result: StepResult): void {
  forced = draw;
  try {
    stepState(rules, state, 0, action, 0, result);
  } finally {
    forced = NONE;
  }
}

/** Bit a = 1: command a would not be refused. Never 0: `look` is always possible. */
export function possibleActions(rules: Rules, state: Uint32Array, at: number): number {
  const { maze } = rules;
  const w0 = state[at]!;
  const w1 = state[at + 1]!;
  const room = roomOf(w0);
  let bits = 0;
  for (let k = 0; k < 4; k++) {
    const way = rules.exitWay[4 * room + k]!;
    if (way !== NONE && !isLocked(maze, w1, way)) bits |= 1 << (ACTION.go + k);
    if (isKeyIn(maze, w0, k, room)) bits |= 1 << (ACTION.takeKey + k);
    if (hasKey(w0, k) && doorsAround(rules, w0, w1, k) !== 0) bits |= 1 << (ACTION.unlock + k);
    if (isItemIn(maze, w0, k, room)) bits |= 1 << (ACTION.takeItem + k);
  }
  for (let action = ACTION.look as number; action < rules.actions; action++) bits |= 1 << action;
  return bits;
}
