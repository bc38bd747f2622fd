import { untouched, wholes, type Case } from '../../../conformance.ts';
import { taught } from '../../signalKernels.ts';

const SHAPES = [
  [1, 1, 1],
  [5, 13, 9],
  [64, 1, 3],
  [13, 4, 2],
] as const;

export const cases: readonly Case[] = SHAPES.map(([rows, T, words], seed): Case => {
  const length = wholes(seed, rows, T + 1);
  length[0] = T;
  // the other bytes of the word count steps and subgoals that were passed
  const played = wholes(seed + 1, rows * (T + 1) * words, 2 ** 32);
  const listed = Float32Array.from(wholes(seed + 2, rows, 16), (n) => n + 1);
  const word = words - 1;
  const expected = Float32Array.from({ length: rows * (T + 1) }, (_, k) => {
    const row = Math.floor(k / (T + 1));
    return k % (T + 1) > length[row]! ? 0 : ((played[k * words + word]! >>> 8) & 255) / listed[row]!;
  });
  return {
    name: `taught of ${rows}×${T}, word ${word}`,
    kernel: taught,
    dims: { rows, T, words, word },
    groups: [Math.ceil((rows * (T + 1)) / 64)],
    buffers: { played, length, listed, taught: untouched(expected.length) },
    expected: { taught: expected },
    // one division, good to 2.5 units in the last place
    tolerance: { abs: 0, rel: 2.5 * 2 ** -23 },
  };
});
