import type { Board } from '../types.ts';
import { tokenIds } from '../vocabulary.ts';
import { cellOf, has, MASK_WORDS, SIDE, squareOf, type Mask } from './board.ts';
import type { SokobanMap } from './level.ts';

/** Planes of the observation, in this order, each over the level's W × H cells. Spec environments §3.8. */
export const PLANES = ['wall', 'target', 'box', 'agent'] as const;

/** Observation bits of a level: W × H for each plane. */
export function featuresOf({ W, H }: SokobanMap): number {
  return PLANES.length * W * H;
}

/** The board that is seen whole, and below as seen from the player, who is on none of its planes but always in the middle. */
export const boardWhole = ({ W, H }: SokobanMap): Board => ({
  ...{ planes: PLANES.length, height: H, width: W },
  agent: PLANES.indexOf('agent'),
});

function setBit(bits: Uint32Array, bitsAt: number, f: number): void {
  bits[bitsAt + (f >>> 5)]! |= 1 << (f & 31);
}

/** Sets the cells of these squares in a plane whose first bit is `plane`. */
function setSquares(mask: Mask, maskAt: number, W: number, bits: Uint32Array, bitsAt: number, plane: number): void {
  for (let w = 0; w < MASK_WORDS; w++)
    for (let word = mask[maskAt + w]!; word !== 0; word &= word - 1)
      setBit(bits, bitsAt, plane + cellOf(W, 32 * w + 31 - Math.clz32(word & -word)));
}

const stills = new WeakMap<SokobanMap, Uint32Array>();

/** Walls and targets of a map, made once: every look at it begins with these bits. */
function stillOf(map: SokobanMap): Uint32Array {
  const known = stills.get(map);
  if (known) return known;
  const cells = map.W * map.H;
  const bits = new Uint32Array(Math.ceil(featuresOf(map) / 32));
  for (let cell = 0; cell < cells; cell++) {
    const square = squareOf(map.W, cell);
    if (has(map.walls, 0, square)) setBit(bits, 0, cell);
    if (has(map.targets, 0, square)) setBit(bits, 0, cells + cell);
  }
  stills.set(map, bits);
  return bits;
}

/** Sets the bits of the observation of the state at bits[bitsAt …] and clears the others. */
export function observePlanes(
  map: SokobanMap,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  const { W } = map;
  const cells = W * map.H;
  const still = stillOf(map);
  for (let w = 0; w < still.length; w++) bits[bitsAt + w] = still[w]!;
  setSquares(state, at + 1, W, bits, bitsAt, 2 * cells);
  setBit(bits, bitsAt, 3 * cells + cellOf(W, state[at]!));
}

/** Planes of the view around the player, in this order, each over a window that holds the whole floor wherever it stands. */
export const AROUND = ['floor', 'target', 'box'] as const;

/** Sides of that window: floor never touches the border, so it has at most W − 2 × H − 2 cells. */
const windowOf = ({ W, H }: SokobanMap): readonly [number, number] => [2 * W - 5, 2 * H - 5];

export function boardAround(map: SokobanMap): Board {
  const [width, height] = windowOf(map);
  return { planes: AROUND.length, height, width };
}

/** Observation bits of the view around the player. */
export function featuresAround(map: SokobanMap): number {
  const [width, height] = windowOf(map);
  return AROUND.length * width * height;
}

/** The same board as seen from the player, who is always in the middle of the window. */
export function observeAround(
  map: SokobanMap,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  const [width, height] = windowOf(map);
  const cells = width * height;
  const end = bitsAt + Math.ceil((AROUND.length * cells) / 32);
  for (let w = bitsAt; w < end; w++) bits[w] = 0;
  const left = (state[at]! & (SIDE - 1)) - (map.W - 3);
  const top = (state[at]! >>> 4) - (map.H - 3);
  for (let y = 1; y < map.H - 1; y++)
    for (let x = 1; x < map.W - 1; x++) {
      const square = y * SIDE + x;
      if (has(map.walls, 0, square)) continue;
      const cell = (y - top) * width + x - left;
      setBit(bits, bitsAt, cell);
      if (has(map.targets, 0, square)) setBit(bits, bitsAt, cells + cell);
      if (has(state, at + 1, square)) setBit(bits, bitsAt, 2 * cells + cell);
    }
}

/** Tokens of a cell by what it shows: target = 1, box = 2, agent = 4; 3 = box on target, 5 = agent on target; 6 = wall. */
export const CELL_TOKENS: readonly number[] = tokenIds(
  ['.', 'target', 'box', 'boxOnTarget', '@', 'agentOnTarget', '#'].map((name) => `cell:${name}`),
);

/** Token id of every cell in reading order. */
export function tokensOf(map: SokobanMap, state: Uint32Array, at: number): number[] {
  return Array.from({ length: map.W * map.H }, (_, cell) => {
    const square = squareOf(map.W, cell);
    if (has(map.walls, 0, square)) return CELL_TOKENS[6]!;
    const target = has(map.targets, 0, square) ? 1 : 0;
    const what = has(state, at + 1, square) ? 2 : square === state[at] ? 4 : 0;
    return CELL_TOKENS[target + what]!;
  });
}

/** Words that hold one token per cell, four tokens a word. */
export function tokenWords({ W, H }: SokobanMap): number {
  return Math.ceil((W * H) / 4);
}

/** Writes the tokens packed four per word, the first in the low byte; <pad> = 0 after the last one. */
export function observeTokens(
  map: SokobanMap,
  state: Uint32Array,
  at: number,
  words: Uint32Array,
  wordsAt: number,
): void {
  words.fill(0, wordsAt, wordsAt + tokenWords(map));
  tokensOf(map, state, at).forEach((id, k) => {
    words[wordsAt + (k >>> 2)]! |= id << (8 * (k & 3));
  });
}
