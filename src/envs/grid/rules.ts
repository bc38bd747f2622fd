import { hashInto, STATE_TAG } from '../../core/hash.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import { FLAG, type StepResult } from '../types.ts';
import { KIND, type GridMap } from './level.ts';

export const FAMILY = 1;
export const WORDS = 7;
/** Events of the grid family in the flags of a step. */
export const EVENT = { key: 256, door: 512, subgoal: 1024, bonus: 2048, collision: 4096, slipped: 8192 } as const;
export const DX = [1, 0, -1, 0] as const;
export const DY = [0, 1, 0, -1] as const;
const NO_CELL = 0x3ff;

export type Rewards = {
  readonly goal: number;
  readonly step: number;
  readonly dead: number;
  readonly collision: number;
  readonly bonus: number;
  readonly subgoal: number;
  readonly invalid: number;
  readonly timed: boolean;
};

/** A map and everything that shapes its rules. */
export type Rules = {
  readonly map: GridMap;
  readonly T: number;
  readonly turn: boolean;
  /** move4: direction of each action */
  readonly dirs: readonly number[];
  readonly rewards: Rewards;
  /** four more planes show the look of changing tiles */
  readonly noisyTiles?: boolean;
};

// Layout of word 0: cell 10 bits | direction 2 | keys held 4 | progress 4 | goals visited 8.
const cellOf = (w0: number): number => w0 & NO_CELL;
const directionOf = (w0: number): number => (w0 >>> 10) & 3;
export const keysHeld = (w0: number): number => (w0 >>> 12) & 15;
export const progressOf = (w0: number): number => (w0 >>> 16) & 15;
const goalsOf = (w0: number): number => (w0 >>> 20) & 255;
export { cellOf, directionOf, goalsOf };

/** Cell of obstacle k (0 … 8), NO_CELL where there is none. */
export function obstacleCell(state: Uint32Array, at: number, k: number): number {
  return (state[at + 3 + Math.floor(k / 3)]! >>> (10 * (k % 3))) & NO_CELL;
}

function setObstacle(state: Uint32Array, at: number, k: number, cell: number): void {
  const word = at + 3 + Math.floor(k / 3);
  const shift = 10 * (k % 3);
  state[word] = (state[word]! & ~(NO_CELL << shift)) | (cell << shift);
}

function obstacleAt(map: GridMap, state: Uint32Array, at: number, cell: number): boolean {
  for (let k = 0; k < map.obstacles.length; k++) if (obstacleCell(state, at, k) === cell) return true;
  return false;
}

/** Writes the first state of the map into its seven words. */
export function resetState(rules: Rules, state: Uint32Array, at: number): void {
  const { map } = rules;
  state[at] = map.start | ((rules.turn ? map.direction : 0) << 10);
  state[at + 1] = 0;
  state[at + 2] = 0;
  for (let k = 0; k < 9; k++) setObstacle(state, at, k, map.obstacles[k] ?? NO_CELL);
  state[at + 6] = 0;
}

/** Cell next to `cell` in a direction, −1 outside the map. */
function neighbor(map: GridMap, cell: number, direction: number): number {
  const x = (cell % map.W) + DX[direction]!;
  const y = Math.floor(cell / map.W) + DY[direction]!;
  return x < 0 || y < 0 || x >= map.W || y >= map.H ? -1 : y * map.W + x;
}

/** True if the cell has a door, locked or not, that is still closed. */
export function isClosedDoor(map: GridMap, state: Uint32Array, at: number, cell: number): boolean {
  const kind = map.kind[cell];
  return (kind === KIND.lockedDoor || kind === KIND.door) && ((state[at + 1]! >>> map.index[cell]!) & 1) === 0;
}

/** True if the closed door at the cell has no lock, or the agent holds its key. */
function canOpen(map: GridMap, state: Uint32Array, at: number, cell: number): boolean {
  return map.kind[cell] === KIND.door || ((keysHeld(state[at]!) >>> map.color[cell]!) & 1) === 1;
}

/** Cells beside the agent that it could walk into: no wall, no door that it cannot open. */
export function openNeighbors(map: GridMap, state: Uint32Array, at: number): number {
  let open = 0;
  for (let direction = 0; direction < 4; direction++) {
    const cell = neighbor(map, cellOf(state[at]!), direction);
    if (cell < 0 || map.kind[cell] === KIND.wall) continue;
    if (!isClosedDoor(map, state, at, cell) || canOpen(map, state, at, cell)) open++;
  }
  return open;
}

/** True if the cell has a key that nobody has taken yet. */
export function isKeyHere(map: GridMap, state: Uint32Array, at: number, cell: number): boolean {
  return map.kind[cell] === KIND.key && ((state[at + 2]! >>> map.index[cell]!) & 1) === 0;
}

// The step in progress. One at a time, so module scope avoids an object per step.
let reward = 0;
let flags = 0;
/** draws to use instead of random ones, by slot; for exact outcomes only */
let forced: readonly number[] | null = null;

/** Draw number `slot` of step t, below n. */
function draw(seed: number, t: number, slot: number, n: number): number {
  return forced ? forced[slot]! : below(random(seed, PURPOSE.step, t, slot, 0), n);
}

/** A step whose draws are given: slot 0 = slip, slot 1 + k = obstacle k. */
export function stepForced(
  rules: Rules,
  state: Uint32Array,
  action: number,
  draws: readonly number[],
  result: StepResult,
): void {
  forced = draws;
  try {
    stepState(rules, state, 0, action, 0, result);
  } finally {
    forced = null;
  }
}

/** True if the slip draw matters for this action in this state. */
export function canSlip(rules: Rules, state: Uint32Array, at: number, action: number): boolean {
  const { map } = rules;
  const walks = !rules.turn || action === 2;
  return walks && map.slip[0] + map.slip[2] > 0 && (map.iceAll || map.kind[cellOf(state[at]!)] === KIND.ice);
}

function takeKey(rules: Rules, state: Uint32Array, at: number, cell: number): void {
  const { map } = rules;
  state[at]! |= 1 << (12 + map.color[cell]!);
  state[at + 2]! |= 1 << map.index[cell]!;
  flags |= EVENT.key;
  reward += rules.rewards.subgoal;
}

function openDoor(rules: Rules, state: Uint32Array, at: number, cell: number): void {
  state[at + 1]! |= 1 << rules.map.index[cell]!;
  flags |= EVENT.door;
  reward += rules.rewards.subgoal;
}

/** The agent walks one cell in a direction. False if it is blocked. */
function walk(rules: Rules, state: Uint32Array, at: number, direction: number, t: number): boolean {
  const { map, rewards } = rules;
  const to = neighbor(map, cellOf(state[at]!), direction);
  if (to < 0 || map.kind[to] === KIND.wall) return false;
  if (isClosedDoor(map, state, at, to)) {
    if (rules.turn || !canOpen(map, state, at, to)) return false;
    openDoor(rules, state, at, to);
  }
  if (rules.turn && isKeyHere(map, state, at, to)) return false;
  state[at] = (state[at]! & ~NO_CELL) | to;
  if (obstacleAt(map, state, at, to)) {
    flags |= EVENT.collision | FLAG.terminated | FLAG.dead;
    reward += rewards.collision;
    return true;
  }
  switch (map.kind[to]) {
    case KIND.lava:
    case KIND.hole:
      flags |= FLAG.terminated | FLAG.dead;
      reward += rewards.dead;
      break;
    case KIND.key:
      if (isKeyHere(map, state, at, to)) takeKey(rules, state, at, to);
      break;
    case KIND.bonus:
      flags |= EVENT.bonus;
      reward += rewards.bonus;
      break;
    case KIND.subgoal:
      reachSubgoal(rules, state, at, to, t);
      break;
    case KIND.goal:
    case KIND.exit:
      reachGoal(rules, state, at, to, t);
      break;
  }
  return true;
}

function reachSubgoal(rules: Rules, state: Uint32Array, at: number, cell: number, t: number): void {
  const { map } = rules;
  const done = progressOf(state[at]!);
  if (map.index[cell] !== done + 1) return;
  state[at] = (state[at]! & ~(15 << 16)) | ((done + 1) << 16);
  flags |= EVENT.subgoal;
  reward += rules.rewards.subgoal;
  if (done + 1 === map.subgoals && map.goals === 0 && !map.hasExit) succeed(rules, t);
}

function reachGoal(rules: Rules, state: Uint32Array, at: number, cell: number, t: number): void {
  const { map } = rules;
  if (progressOf(state[at]!) < map.subgoals) return;
  if (map.kind[cell] === KIND.exit) {
    const all = map.keys === 32 ? 0xffffffff : 2 ** map.keys - 1;
    if (state[at + 2] === all) succeed(rules, t);
    return;
  }
  const bit = 1 << (20 + map.index[cell]!);
  if ((state[at]! & bit) !== 0) return;
  state[at]! |= bit;
  if (!map.needAll) return succeed(rules, t);
  flags |= EVENT.subgoal;
  reward += rules.rewards.subgoal;
  if (goalsOf(state[at]!) === 2 ** map.goals - 1) succeed(rules, t);
}

/** With `need: all` a goal that was visited is closed; with `need: any` goals stay open. */
export function isGoalOpen(map: GridMap, state: Uint32Array, at: number, cell: number): boolean {
  return !map.needAll || ((goalsOf(state[at]!) >>> map.index[cell]!) & 1) === 0;
}

function succeed(rules: Rules, t: number): void {
  flags |= FLAG.terminated | FLAG.success;
  reward += rules.rewards.goal - (rules.rewards.timed ? Math.floor((900 * (t + 1)) / rules.T) : 0);
}

/** Direction in which the agent really walks: ice may turn it. */
function slipped(rules: Rules, state: Uint32Array, at: number, direction: number, t: number, seed: number): number {
  const { map } = rules;
  const [left, straight, right] = map.slip;
  const onIce = map.iceAll || map.kind[cellOf(state[at]!)] === KIND.ice;
  if (!onIce || left + right === 0) return direction;
  const u = draw(seed, t, 0, left + straight + right);
  if (u >= left && u < left + straight) return direction;
  flags |= EVENT.slipped;
  return (direction + (u < left ? 3 : 1)) & 3;
}

/** What the agent does. False if the action is impossible here. */
function act(rules: Rules, state: Uint32Array, at: number, action: number, t: number, seed: number): boolean {
  if (!rules.turn) {
    const direction = rules.dirs[action];
    return direction !== undefined && walk(rules, state, at, slipped(rules, state, at, direction, t, seed), t);
  }
  const { map } = rules;
  const direction = directionOf(state[at]!);
  if (action <= 1) {
    const turned = (direction + (action === 0 ? 3 : 1)) & 3;
    state[at] = (state[at]! & ~(3 << 10)) | (turned << 10);
    return true;
  }
  if (action === 2) return walk(rules, state, at, slipped(rules, state, at, direction, t, seed), t);
  if (action > 4) return false; // no command at all
  const ahead = neighbor(map, cellOf(state[at]!), direction);
  if (ahead < 0) return false;
  if (action === 3) {
    if (!isKeyHere(map, state, at, ahead)) return false;
    takeKey(rules, state, at, ahead);
    return true;
  }
  if (!isClosedDoor(map, state, at, ahead) || !canOpen(map, state, at, ahead)) return false;
  openDoor(rules, state, at, ahead);
  return true;
}

/** Moving obstacles, after the agent, in index order; a collision ends the episode. */
function moveObstacles(rules: Rules, state: Uint32Array, at: number, t: number, seed: number): void {
  const { map } = rules;
  for (let k = 0; k < map.obstacles.length && (flags & FLAG.terminated) === 0; k++) {
    const m = draw(seed, t, 1 + k, 5);
    if (m === 4) continue;
    const to = neighbor(map, obstacleCell(state, at, k), m);
    if (to < 0 || (map.kind[to] !== KIND.floor && map.kind[to] !== KIND.ice) || obstacleAt(map, state, at, to))
      continue;
    setObstacle(state, at, k, to);
    if (to === cellOf(state[at]!)) {
      flags |= EVENT.collision | FLAG.terminated | FLAG.dead;
      reward += rules.rewards.collision;
    }
  }
}

/** One step in place (spec environments §1.3). Finished states do not change. */
export function stepState(
  rules: Rules,
  state: Uint32Array,
  at: number,
  action: number,
  episodeSeed: number,
  result: StepResult,
): void {
  const clock = state[at + 6]!;
  if (clock >>> 16 !== 0) {
    result.reward = 0;
    result.flags = clock >>> 16;
    return;
  }
  const t = clock & 0xffff;
  reward = rules.rewards.step;
  flags = 0;
  const w0 = state[at];
  const w1 = state[at + 1];
  const w2 = state[at + 2];
  const possible = act(rules, state, at, action, t, episodeSeed);
  const unchanged = state[at] === w0 && state[at + 1] === w1 && state[at + 2] === w2;
  if ((flags & FLAG.terminated) === 0) moveObstacles(rules, state, at, t, episodeSeed);
  if (!possible) {
    flags |= FLAG.invalid;
    reward += rules.rewards.invalid;
  }
  if (unchanged) flags |= FLAG.noEffect;
  if ((flags & FLAG.terminated) === 0 && t + 1 >= rules.T) flags |= FLAG.truncated;
  state[at + 6] = (t + 1) | ((flags & 15) << 16);
  result.reward = reward;
  result.flags = flags;
}

/** 64-bit key over everything but the clock. */
export function keyOf(state: Uint32Array, at: number, out: Uint32Array, outAt: number): void {
  hashInto(STATE_TAG, FAMILY, state, at, WORDS - 1, out, outAt);
}

/** Bit a = 1 unless the action would be INVALID here (slips aside). */
export function possibleActions(rules: Rules, state: Uint32Array, at: number): number {
  const { map } = rules;
  const free = (cell: number): boolean =>
    cell >= 0 &&
    map.kind[cell] !== KIND.wall &&
    !(isClosedDoor(map, state, at, cell) && (rules.turn || !canOpen(map, state, at, cell))) &&
    !(rules.turn && isKeyHere(map, state, at, cell));
  const here = cellOf(state[at]!);
  let bits = 0;
  if (!rules.turn) {
    rules.dirs.forEach((direction, a) => {
      if (free(neighbor(map, here, direction))) bits |= 1 << a;
    });
    return bits;
  }
  const ahead = neighbor(map, here, directionOf(state[at]!));
  bits = 3;
  if (free(ahead)) bits |= 4;
  if (ahead >= 0 && isKeyHere(map, state, at, ahead)) bits |= 8;
  if (ahead >= 0 && isClosedDoor(map, state, at, ahead) && canOpen(map, state, at, ahead)) bits |= 16;
  return bits;
}
