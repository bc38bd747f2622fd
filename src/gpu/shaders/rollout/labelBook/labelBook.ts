import { BOOK_ROWS, ROW_WORDS, rowOfMessage } from '../../../../contract/labelBook.ts';
import { MILESTONES } from '../../../../contract/signals.ts';
import { random } from '../../../../core/random.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { labelBook } from '../../signalKernels.ts';

type Sizes = { readonly S: number; readonly B: number; readonly T: number };
type Labeling = { readonly answers: number; readonly flip: number };

/** What labels pay for each step, and the books after the batch. */
export function labeled(
  { S, B, T }: Sizes,
  given: {
    readonly message: Float32Array;
    readonly milestone: Float32Array;
    readonly length: Uint32Array;
    readonly worth: Float32Array;
    readonly book: Uint32Array;
  },
  { answers, flip }: Labeling,
): { readonly y: Float32Array; readonly book: Uint32Array } {
  const { message, milestone, length, worth } = given;
  const [y, book] = [new Float32Array(S * B * T), given.book.slice()];
  const words = BOOK_ROWS * ROW_WORDS;
  for (let row = 0; row < S * B; row++) {
    const from = Math.floor(row / B) * words;
    for (let t = 0; t < length[row]!; t++) {
      const own = message[row * T + t]!;
      const before = message.subarray(row * T, row * T + t).filter((m) => m === own).length;
      for (let at = from; at < from + words; at += ROW_WORDS)
        if (given.book[at] === own + 1 && given.book[at + 1] === 2) y[row * T + t] = worth[before]!;
      const at = rowOfMessage(book, own, from);
      const reached = milestone.subarray(row * MILESTONES, (row + 1) * MILESTONES).includes(t);
      if (at >= 0 && reached) book[at + 2] = 1;
    }
  }
  for (let s = 0; s < S; s++) {
    let left = answers;
    for (let at = s * words; at < (s + 1) * words && left > 0 && book[at] !== 0; at += ROW_WORDS) {
      if (book[at + 1] !== 0) continue;
      const isWrong = random(0x6f6e69, 0, book[at]!, 0, 0) / 2 ** 32 < flip;
      book[at + 1] = (book[at + 2] === 1) !== isWrong ? 2 : 1;
      left--;
    }
  }
  return { y, book };
}

/** Books of two kinds in turn: an empty one, and one that has labeled every second message and waits for others. */
function bookOf(S: number, kinds: number): Uint32Array {
  const book = new Uint32Array(S * BOOK_ROWS * ROW_WORDS);
  for (let s = 1; s < S; s += 2)
    for (let m = 0; m < kinds; m += 2) {
      const at = rowOfMessage(book, m, s * BOOK_ROWS * ROW_WORDS);
      if (at >= 0) [book[at + 1], book[at + 2]] = [m % 3, m % 5 === 0 ? 1 : 0];
    }
  return book;
}

function caseOf(seed: number, [S, B, T]: readonly [number, number, number], kinds: number, labeling: Labeling): Case {
  const { answers, flip } = labeling;
  const message = Float32Array.from(wholes(seed, S * B * T, kinds));
  // some say a step behind the last one, where nothing is
  const milestone = Float32Array.from(wholes(seed + 1, S * B * MILESTONES, 3 * T), (t) => (t <= T ? t : -1));
  const length = wholes(seed + 2, S * B, T).map((n) => n + 1);
  const worth = Float32Array.from({ length: T }, (_, n) => 0.2 / (n + 1) ** 3);
  const book = bookOf(S, kinds);
  const dims = { rows: S * B, B, T, answers, noisy: Number(flip > 0) };
  const all = { ...dims, wrong: Math.max(0, Math.ceil(flip * 2 ** 32) - 1) };
  return {
    name: `labelBook of ${S}×${B}×${T}, ${kinds} messages, ${answers} answers, ${flip} of them wrong`,
    kernel: labelBook.labels,
    dims: all,
    groups: [Math.ceil((S * B * T) / 64)],
    after: [{ kernel: labelBook.note, dims: all, groups: [1, 1, S] }],
    buffers: { message, milestone, length, worth, book, y: untouched(S * B * T) },
    expected: labeled({ S, B, T }, { message, milestone, length, worth, book }, labeling),
  };
}

export const cases: readonly Case[] = [
  caseOf(1, [1, 1, 1], 1, { answers: 1, flip: 0 }),
  caseOf(2, [2, 5, 13], 9, { answers: 2, flip: 0 }),
  caseOf(3, [3, 33, 7], 20, { answers: 64, flip: 0.4 }),
  caseOf(4, [2, 3, 70], 11, { answers: 0, flip: 0 }),
  caseOf(5, [1, 9, 4], 5, { answers: 3, flip: 1 }),
  // more messages than a book has room for
  caseOf(6, [2, 65, 3], 150, { answers: 60, flip: 0.2 }),
];
