import type { Board } from '../types.ts';
import { tokenIds } from '../vocabulary.ts';
import { has, SIDE, squareOf } from './board.ts';
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

/** Sets a cell of a plane, of planes of so many cells in a row. */
const setterOf =
  (bits: Uint32Array, bitsAt: number, cells: number) =>
  (plane: number, cell: number): void => {
    const f = plane * cells + cell;
    bits[bitsAt + (f >>> 5)]! |= 1 << (f & 31);
  };

/** Sets the bits of the observation of the state at bits[bitsAt …] and clears the others. */
export function observePlanes(
  map: SokobanMap,
  state: Uint32Array,
  at: number,
  bits: Uint32Array,
  bitsAt: number,
): void {
  const cells = map.W * map.H;
  bits.fill(0, bitsAt, bitsAt + Math.ceil(featuresOf(map) / 32));
  const set = setterOf(bits, bitsAt, cells);
  for (let cell = 0; cell < cells; cell++) {
    const square = squareOf(map.W, cell);
    if (has(map.walls, 0, square)) set(0, cell);
    if (has(map.targets, 0, square)) set(1, cell);
    if (has(state, at + 1, square)) set(2, cell);
    if (square === state[at]) set(3, cell);
  }
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
  bits.fill(0, bitsAt, bitsAt + Math.ceil(featuresAround(map) / 32));
  const set = setterOf(bits, bitsAt, width * height);
  const left = (state[at]! & (SIDE - 1)) - (map.W - 3);
  const top = (state[at]! >>> 4) - (map.H - 3);
  for (let y = 1; y < map.H - 1; y++)
    for (let x = 1; x < map.W - 1; x++) {
      const square = y * SIDE + x;
      if (has(map.walls, 0, square)) continue;
      const cell = (y - top) * width + x - left;
      set(0, cell);
      if (has(map.targets, 0, square)) set(1, cell);
      if (has(state, at + 1, square)) set(2, cell);
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
