import { hashInto, OBS_TAG } from '../../core/hash.ts';
import { below, PURPOSE, random } from '../../core/random.ts';
import type { Board } from '../types.ts';
import { tokenIds } from '../vocabulary.ts';
import { KIND, cellChar, type GridMap } from './level.ts';
import {
  cellOf,
  directionOf,
  DX,
  DY,
  FAMILY,
  isClosedDoor,
  isGoalOpen,
  isKeyHere,
  keysHeld,
  obstacleCell,
  progressOf,
  type Rules,
  WORDS,
} from './rules.ts';

/**
 * Planes of the observation, in this order; with changing tiles four more for their looks; then scalars: 4 keys held,
 * and 4 directions with turn actions.
 */
export const PLANE = {
  wall: 0,
  goal: 1,
  exit: 2,
  hazard: 3,
  ice: 4,
  key: 5,
  lockedDoor: 9,
  door: 13,
  subgoal: 14,
  bonus: 15,
  obstacle: 16,
  distractor: 17,
  agent: 18,
} as const;
const PLANES = 19;
const LOOKS = 4;
/** Color of the distractor whose look changes. */
const CHANGING = 3;

export type View = { readonly kind: 'planes' } | { readonly kind: 'ego'; readonly size: number };

/** The cells shown and the planes they are seen in. */
export function boardOf({ map, noisyTiles }: Rules, view: View): Board {
  const [width, height] = view.kind === 'planes' ? [map.W, map.H] : [view.size, view.size];
  return { planes: PLANES + (noisyTiles ? LOOKS : 0), height, width, agent: PLANE.agent };
}

const cellsOf = ({ map }: Rules, view: View): number =>
  view.kind === 'planes' ? map.W * map.H : view.size * view.size;

/** Observation bits: the planes of every cell seen, then the four keys held and, with turns, the heading. */
export function featuresOf(rules: Rules, view: View): number {
  return boardOf(rules, view).planes * cellsOf(rules, view) + (rules.turn ? 8 : 4);
}

/** Plane of what is in a cell now, −1 for nothing; ice, obstacle and agent are planes of their own. */
function planeOf(map: GridMap, state: Uint32Array, at: number, cell: number): number {
  switch (map.kind[cell]) {
    case KIND.wall:
      return PLANE.wall;
    case KIND.goal:
      return isGoalOpen(map, state, at, cell) ? PLANE.goal : -1;
    case KIND.exit:
      return PLANE.exit;
    case KIND.lava:
    case KIND.hole:
      return PLANE.hazard;
    case KIND.key:
      return isKeyHere(map, state, at, cell) ? PLANE.key + map.color[cell]! : -1;
    case KIND.lockedDoor:
      return isClosedDoor(map, state, at, cell) ? PLANE.lockedDoor + map.color[cell]! : -1;
    case KIND.door:
      return isClosedDoor(map, state, at, cell) ? PLANE.door : -1;
    case KIND.subgoal:
      return map.index[cell] === progressOf(state[at]!) + 1 ? PLANE.subgoal : -1;
    case KIND.bonus:
      return PLANE.bonus;
    case KIND.distractor:
      return PLANE.distractor;
    default:
      return -1;
  }
}

function isIce(map: GridMap, cell: number): boolean {
  return map.kind[cell] === KIND.ice || (map.iceAll && map.kind[cell] !== KIND.wall);
}

/** What never changes on a map seen whole: its bits, and the cells whose plane depends on the state. */
type Still = { readonly bits: Uint32Array; readonly open: readonly number[] };

const STILL: readonly number[] = [KIND.wall, KIND.exit, KIND.lava, KIND.hole, KIND.bonus, KIND.distractor];
const FREE: readonly number[] = [KIND.floor, KIND.ice];
const stills = new WeakMap<Rules, Still>();

/** Made once per level: every look at it begins with these bits. */
function stillOf(rules: Rules, view: View): Still {
  const known = stills.get(rules);
  if (known) return known;
  const { map } = rules;
  const cells = cellsOf(rules, view);
  const bits = new Uint32Array(Math.ceil(featuresOf(rules, view) / 32));
  const open: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const kind = map.kind[cell]!;
    if (STILL.includes(kind)) setBit(bits, 0, planeOf(map, bits, 0, cell) * cells + cell);
    else if (!FREE.includes(kind)) open.push(cell);
    if (isIce(map, cell)) setBit(bits, 0, PLANE.ice * cells + cell);
  }
  const still = { bits, open };
  stills.set(rules, still);
  return still;
}

function setBit(bits: Uint32Array, bitsAt: number, f: number): void {
  bits[bitsAt + (f >>> 5)]! |= 1 << (f & 31);
}

/** Sets the bits of the observation of the state at bits[bitsAt …]; the words must be cleared by nobody else. */
export function observeState(
  rules: Rules,
  view: View,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  if (view.kind === 'planes') observeWhole(rules, view, state, at, bits, bitsAt);
  else observeWindow(rules, view, state, at, bits, bitsAt);
  const scalars = boardOf(rules, view).planes * cellsOf(rules, view);
  const held = keysHeld(state[at]!);
  for (let c = 0; c < 4; c++) if (((held >>> c) & 1) === 1) setBit(bits, bitsAt, scalars + c);
  if (rules.turn) setBit(bits, bitsAt, scalars + 4 + directionOf(state[at]!));
}

/** The window alone: what is held is not shown, the heading is. */
export function observeNearby(
  rules: Rules,
  view: Extract<View, { kind: 'ego' }>,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  observeWindow(rules, view, state, at, bits, bitsAt);
  const scalars = boardOf(rules, view).planes * cellsOf(rules, view);
  if (rules.turn) setBit(bits, bitsAt, scalars + 4 + directionOf(state[at]!));
}

function observeWhole(
  rules: Rules,
  view: View,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  const { map } = rules;
  const cells = cellsOf(rules, view);
  const still = stillOf(rules, view);
  for (let w = 0; w < still.bits.length; w++) bits[bitsAt + w] = still.bits[w]!;
  for (let o = 0; o < still.open.length; o++) {
    const cell = still.open[o]!;
    const plane = planeOf(map, state, at, cell);
    if (plane >= 0) setBit(bits, bitsAt, plane * cells + cell);
  }
  setBit(bits, bitsAt, PLANE.agent * cells + cellOf(state[at]!));
  for (let o = 0; o < map.obstacles.length; o++) {
    const cell = obstacleCell(state, at, o);
    if (cell < cells) setBit(bits, bitsAt, PLANE.obstacle * cells + cell);
  }
}

function observeWindow(
  rules: Rules,
  view: Extract<View, { kind: 'ego' }>,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  bits.fill(0, bitsAt, bitsAt + Math.ceil(featuresOf(rules, view) / 32));
  const { map } = rules;
  const cells = cellsOf(rules, view);
  const here = cellOf(state[at]!);
  for (let k = 0; k < cells; k++) {
    const cell = windowCell(rules, view.size, state, at, k);
    if (cell < 0) {
      setBit(bits, bitsAt, PLANE.wall * cells + k);
      continue;
    }
    const plane = planeOf(map, state, at, cell);
    if (plane >= 0) setBit(bits, bitsAt, plane * cells + k);
    if (isIce(map, cell)) setBit(bits, bitsAt, PLANE.ice * cells + k);
    if (cell === here) setBit(bits, bitsAt, PLANE.agent * cells + k);
    for (let o = 0; o < map.obstacles.length; o++)
      if (obstacleCell(state, at, o) === cell) setBit(bits, bitsAt, PLANE.obstacle * cells + k);
  }
}

/** The cells of the map that the window shows. */
export function cellsShownBy(
  rules: Rules,
  view: Extract<View, { kind: 'ego' }>,
  state: Uint32Array,
  at: number,
): number[] {
  const all = Array.from({ length: cellsOf(rules, view) }, (_, k) => windowCell(rules, view.size, state, at, k));
  return all.filter((cell) => cell >= 0);
}

const isChanging = (map: GridMap, cell: number): boolean =>
  map.kind[cell] === KIND.distractor && map.color[cell] === CHANGING;

/** Adds the looks of the changing tiles at the time of the state: plane 19 + below(random(seed, NOISE, t, cell, 0), 4). */
export function observeLooks(
  rules: Rules,
  view: View,
  state: Uint32Array,
  at: number,
  episodeSeed: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  const { map } = rules;
  const cells = cellsOf(rules, view);
  const t = state[at + WORDS - 1]! & 0xffff;
  for (let k = 0; k < cells; k++) {
    const cell = view.kind === 'planes' ? k : windowCell(rules, view.size, state, at, k);
    if (cell < 0 || !isChanging(map, cell)) continue;
    const f = (PLANES + below(random(episodeSeed, PURPOSE.noise, t, cell, 0), LOOKS)) * cells + k;
    bits[bitsAt + (f >>> 5)]! |= 1 << (f & 31);
  }
}

/** Cell shown at position k of the agent's window; −1 outside the map. Turn actions: looking up the picture. */
function windowCell(rules: Rules, size: number, state: Uint32Array, at: number, k: number): number {
  const { map } = rules;
  const q = Math.floor(k / size);
  const c = k % size;
  const half = Math.floor(size / 2);
  const here = cellOf(state[at]!);
  let x = here % map.W;
  let y = Math.floor(here / map.W);
  if (rules.turn) {
    const ahead = directionOf(state[at]!);
    const right = (ahead + 1) & 3;
    x += DX[right]! * (c - half) + DX[ahead]! * (size - 1 - q);
    y += DY[right]! * (c - half) + DY[ahead]! * (size - 1 - q);
  } else {
    x += c - half;
    y += q - half;
  }
  return x < 0 || y < 0 || x >= map.W || y >= map.H ? -1 : y * map.W + x;
}

const HEADINGS = '>v<^';
const COLORS = ['red', 'blue', 'green', 'yellow'] as const;

/** One character per cell for the state: agent @ or its heading, taken keys and opened doors are floor. */
export function stateChars(rules: Rules, state: Uint32Array, at: number): string[] {
  const { map } = rules;
  const chars: string[] = [];
  for (let cell = 0; cell < map.W * map.H; cell++) chars.push(visibleChar(map, state, at, cell));
  for (let k = 0; k < map.obstacles.length; k++) chars[obstacleCell(state, at, k)] = 'o';
  chars[cellOf(state[at]!)] = rules.turn ? HEADINGS[directionOf(state[at]!)]! : '@';
  return chars;
}

function visibleChar(map: GridMap, state: Uint32Array, at: number, cell: number): string {
  const kind = map.kind[cell];
  const gone =
    (kind === KIND.key && !isKeyHere(map, state, at, cell)) ||
    ((kind === KIND.lockedDoor || kind === KIND.door) && !isClosedDoor(map, state, at, cell));
  const char = gone ? '.' : cellChar(map, cell);
  return char === '.' && map.iceAll ? '~' : char;
}

/** Words of the observation: one `cell:` token per cell, then what the agent holds, then a full stop. */
export function tokenWords(rules: Rules, state: Uint32Array, at: number): string[] {
  const held = COLORS.filter((_, c) => ((keysHeld(state[at]!) >>> c) & 1) === 1);
  const cells = stateChars(rules, state, at).map((char) => `cell:${char}`);
  return [...cells, 'you', 'have', ...(held.length > 0 ? held : ['nothing']), '.'];
}

/** Longest observation in tokens: the cells, `you have`, four colors, the full stop. */
export function tokensOf(rules: Rules): number {
  return Math.ceil((rules.map.W * rules.map.H + 7) / 4) * 4;
}

/** The observation as token ids, four per u32, first token in the low byte, <pad> after the last one. */
export function observeTokens(rules: Rules, state: Uint32Array, at: number, words: Uint32Array, wordsAt: number): void {
  words.fill(0, wordsAt, wordsAt + tokensOf(rules) / 4);
  tokenIds(tokenWords(rules, state, at)).forEach((id, k) => {
    words[wordsAt + (k >>> 2)]! |= id << (8 * (k & 3));
  });
}

/** 64-bit key of the observation as token ids. */
export function obsKeyOf(tokens: readonly number[], out: Uint32Array, outAt: number): void {
  hashInto(OBS_TAG, FAMILY, Uint32Array.from(tokens), 0, tokens.length, out, outAt);
}
