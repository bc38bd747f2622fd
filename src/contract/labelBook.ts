import type { NumberArray } from './numbers.ts';
import type { TensorSpec } from './state.ts';

/**
 * A book of messages and what someone said of them: rows (message + 1, label, 1 = seen with a milestone) of u32 words in the
 * order in which messages were first seen; 0 where a row is free. A label is 0 = not answered, 1 = not interesting,
 * 2 = interesting. When it is full, further messages stay unlabeled.
 */
export const BOOK_ROWS = 64;
export const ROW_WORDS = 3;

/** A tensor that holds a book; `byHand`: events of the run write labels into it. */
export const labelBook: TensorSpec = {
  type: 'u32',
  per: 'replica',
  width: BOOK_ROWS * ROW_WORDS,
  onFork: 'keep',
  byHand: true,
  onDevice: true,
};

/** Word at which the row of a message begins in a book that begins at `from`, a new one if it has none; −1: no room. */
export function rowOfMessage(book: NumberArray, message: number, from = 0): number {
  for (let row = 0; row < BOOK_ROWS; row++) {
    const at = from + row * ROW_WORDS;
    if (book[at] === message + 1) return at;
    if (book[at] !== 0) continue;
    book[at] = message + 1;
    return at;
  }
  return -1;
}

/** Someone says of a message whether it is interesting; in all books of `book`, one for each replica. */
export function answer(book: NumberArray, message: number, isInteresting: boolean): void {
  for (let from = 0; from < book.length; from += BOOK_ROWS * ROW_WORDS) {
    const at = rowOfMessage(book, message, from);
    if (at >= 0) book[at + 1] = isInteresting ? 2 : 1;
  }
}
