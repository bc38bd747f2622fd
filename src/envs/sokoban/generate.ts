import { LevelStream } from '../../core/random.ts';
import { insert, MASK_WORDS, SHIFT, squareOf } from './board.ts';
import { deadSquares } from './deadlocks.ts';
import { Field } from './field.ts';
import { writeLevel, type SokobanMap } from './level.ts';
import { FAMILY } from './rules.ts';
import { StateSet } from './stateSet.ts';

export type ReverseParams = {
  readonly w: number;
  readonly h: number;
  readonly boxes: number;
  readonly pulls: number;
  readonly minPulls?: number;
  readonly carve?: number;
};

export type Generated = {
  readonly ok: true;
  readonly level: string;
  /** pushes of the shortest solution, exact */
  readonly pushes: number;
  readonly attempt: number;
};

const ATTEMPTS = 1000;
/** No expansion once this many states are known. */
const KNOWN = 20_000;
/** Cells that a step of the carving walk adds, as (dx, dy). */
const BRUSHES: readonly (readonly (readonly [number, number])[])[] = [
  [
    [-1, 0],
    [0, 0],
    [1, 0],
  ],
  [
    [0, -1],
    [0, 0],
    [0, 1],
  ],
  [
    [-1, 0],
    [0, 0],
    [0, 1],
  ],
  [
    [-1, 0],
    [0, 0],
    [-1, 1],
    [0, 1],
  ],
  [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
];
const DX = [1, 0, -1, 0] as const;
const DY = [0, 1, 0, -1] as const;

/** The seed by which a size is judged; whether it holds boards that are deep enough. */
const JUDGED_BY = 1;
const holds = new Map<string, boolean>();

const fewest = ({ pulls, minPulls = Math.max(1, Math.floor(pulls / 2)) }: ReverseParams): number => minPulls;

/**
 * A level by reverse play: carve a cave, put boxes on the targets, pull them away breadth first. The depth of the state
 * that is picked is the exact number of pushes of its shortest solution. Spec environments §3.6. Where no attempt of a seed
 * reaches the fewest pulls wanted, it is the deepest of its boards, the first of several; unless the size itself is too
 * small: then another seed, always the same, does not come halfway either.
 */
export function generateReverse(seed: number, p: ReverseParams): Generated | { readonly ok: false } {
  const made = deepest(seed, p);
  return made.ok && (made.pushes >= fewest(p) || suits(p)) ? made : { ok: false };
}

function suits(p: ReverseParams): boolean {
  const key = [p.w, p.h, p.boxes, p.pulls, p.minPulls, p.carve].join();
  let known = holds.get(key);
  if (known === undefined) {
    const made = deepest(JUDGED_BY, p);
    holds.set(key, (known = made.ok && 2 * made.pushes >= fewest(p)));
  }
  return known;
}

function deepest(seed: number, p: ReverseParams): Generated | { readonly ok: false } {
  let made: Generated | { readonly ok: false } = { ok: false };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stream = new LevelStream(seed, FAMILY, attempt);
    const floor = carve(stream, p);
    if (floor.length < 2 * p.boxes + 2) continue;
    const targets = stream.shuffle(floor.slice()).slice(0, p.boxes).sort(ascending);
    const found = pullAway(stream, p, floor, targets, made.ok ? made.pushes + 1 : 1);
    if (!found) continue;
    const level = writeLevel(mapOf(p, floor, targets, found.boxes, found.player));
    made = { ok: true, level, pushes: found.depth, attempt };
    if (found.depth >= fewest(p)) break;
  }
  return made;
}

const ascending = (a: number, b: number): number => a - b;

/** Floor squares in reading order: a walk of straight runs with brushes, as in the generator of gym-sokoban. */
export function carve(
  stream: LevelStream,
  { w, h, carve: steps = Math.floor(1.7 * (w + h)) }: Pick<ReverseParams, 'w' | 'h' | 'carve'>,
): number[] {
  const isFloor = new Uint8Array(w * h);
  let d = stream.below(4);
  let x = 1 + stream.below(w - 2);
  let y = 1 + stream.below(h - 2);
  for (let n = 0; n < steps; n++) {
    if (stream.below(100) < 35) d = stream.below(4);
    x = Math.min(Math.max(x + DX[d]!, 1), w - 2);
    y = Math.min(Math.max(y + DY[d]!, 1), h - 2);
    for (const [dx, dy] of BRUSHES[stream.below(5)]!) {
      const [cx, cy] = [x + dx, y + dy];
      if (cx >= 1 && cx <= w - 2 && cy >= 1 && cy <= h - 2) isFloor[cy * w + cx] = 1;
    }
  }
  const squares: number[] = [];
  isFloor.forEach((floor, cell) => {
    if (floor === 1) squares.push(squareOf(w, cell));
  });
  return squares;
}

/**
 * Breadth first over pulls, from all boxes on targets; picks a state as far away as possible with no box on a target, or
 * none where it is nearer than `least`.
 */
function pullAway(
  stream: LevelStream,
  { pulls }: ReverseParams,
  floor: readonly number[],
  targets: readonly number[],
  least: number,
): { boxes: number[]; player: number; depth: number } | null {
  const k = targets.length;
  const field = new Field(floor);
  const known = new StateSet(k + 1);
  const depths: number[] = [];
  const state = new Uint8Array(k + 1);
  // every region that the player may be in at the end, in reading order of its first square
  state.set(targets, 1);
  field.place(state, 1);
  for (const square of floor) {
    if (field.blocked[square] === 1 || field.fill(square) !== square) continue;
    state[0] = square;
    known.add(state);
    depths.push(0);
  }
  field.place(state, 0);
  const next = new Uint8Array(k + 1);
  for (let s = 0; s < known.count; s++) {
    if (depths[s]! >= pulls || known.count >= KNOWN) break;
    known.copy(s, state);
    field.place(state, 1);
    field.fill(state[0]!);
    const moves: number[] = [];
    for (let b = 1; b <= k; b++) {
      for (const d of SHIFT) {
        const player = state[b]! + d;
        if (field.reaches(player) && field.blocked[player + d] === 0) moves.push(b, d);
      }
    }
    for (let m = 0; m < moves.length; m += 2) {
      const [b, d] = [moves[m]!, moves[m + 1]!];
      const from = state[b]!;
      next.set(state);
      next[b] = from + d;
      next.subarray(1).sort();
      field.blocked[from] = 0;
      field.blocked[from + d] = 1;
      next[0] = field.fill(from + 2 * d);
      field.blocked[from + d] = 0;
      field.blocked[from] = 1;
      if (known.add(next) >= 0) depths.push(depths[s]! + 1);
    }
    field.place(state, 0);
  }
  return pickFarthest(stream, { known, depths, field, floor, targets, pulls, least });
}

function pickFarthest(
  stream: LevelStream,
  search: {
    readonly known: StateSet;
    readonly depths: readonly number[];
    readonly field: Field;
    readonly floor: readonly number[];
    readonly targets: readonly number[];
    readonly pulls: number;
    readonly least: number;
  },
): { boxes: number[]; player: number; depth: number } | null {
  const { known, depths, field, floor, targets } = search;
  const state = new Uint8Array(targets.length + 1);
  for (let depth = search.pulls; depth >= search.least; depth--) {
    const candidates: number[] = [];
    depths.forEach((at, s) => {
      if (at !== depth) return;
      known.copy(s, state);
      if (!state.subarray(1).some((box) => targets.includes(box))) candidates.push(s);
    });
    if (candidates.length === 0) continue;
    known.copy(stream.pick(candidates), state);
    const boxes = [...state.subarray(1)];
    field.place(state, 1);
    field.fill(state[0]!);
    const player = stream.pick(floor.filter((square) => field.reaches(square)));
    return { boxes, player, depth };
  }
  return null;
}

export function mapOf(
  { w, h }: Pick<ReverseParams, 'w' | 'h'>,
  floor: readonly number[],
  targetSquares: readonly number[],
  boxSquares: readonly number[],
  player: number,
): SokobanMap {
  const mask = (squares: readonly number[]): Uint32Array => {
    const words = new Uint32Array(MASK_WORDS);
    for (const square of squares) insert(words, 0, square);
    return words;
  };
  const walls = mask(floor).map((word) => ~word);
  const targets = mask(targetSquares);
  return { W: w, H: h, walls, targets, boxes: mask(boxSquares), dead: deadSquares(walls, targets), player };
}
