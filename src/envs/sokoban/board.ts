/**
 * Sets of squares of a 16 × 16 board as eight u32 words: square y·16 + x is bit (square & 31) of word square >> 5.
 * Spec environments §3.2. A *cell* is y·W + x of the level's own rectangle, a *square* is y·16 + x.
 */

export const SIDE = 16;
export const MASK_WORDS = 8;
/** Steps right, down, left, up on squares. */
export const SHIFT = [1, SIDE, -1, -SIDE] as const;

export type Mask = Uint32Array;

/** True if the square is in the set whose first word is `words[at]`. */
export function has(words: Uint32Array, at: number, square: number): boolean {
  return ((words[at + (square >>> 5)]! >>> (square & 31)) & 1) === 1;
}

/** Adds the square to the set whose first word is `words[at]`. */
export function insert(words: Uint32Array, at: number, square: number): void {
  words[at + (square >>> 5)]! |= 1 << (square & 31);
}

/** Takes the square out of the set whose first word is `words[at]`. */
export function remove(words: Uint32Array, at: number, square: number): void {
  words[at + (square >>> 5)]! &= ~(1 << (square & 31));
}

/** Squares of the set, ascending: reading order. */
export function squaresOf(words: Uint32Array, at = 0): number[] {
  const list: number[] = [];
  for (let square = 0; square < SIDE * SIDE; square++) if (has(words, at, square)) list.push(square);
  return list;
}

/** Square of a cell of a level that is W cells wide. */
export function squareOf(W: number, cell: number): number {
  return Math.floor(cell / W) * SIDE + (cell % W);
}

/** Cell of a square in a level that is W cells wide. */
export function cellOf(W: number, square: number): number {
  return (square >>> 4) * W + (square & 15);
}
