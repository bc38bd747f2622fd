import { coverage } from '../../../../contract/coverage.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { coveredWith } from '../../signalKernels.ts';

/** A world whose states have two words, of wrappers and its own, and cover what the own one says, and its level's items. */
const WORLD = `fn coverState(levelAt : u32, stateAt : u32, radius : i32) {
  for (var k = 0u; k <= u32(radius); k++) { addItem((played[stateAt] + 31u * k) & 1023u); }
  addItem(levels[levelAt]);
}`;

const SHAPES = [
  [1, 1, 0],
  [5, 13, 2],
  [64, 4, 1],
  [65, 3, 5],
] as const;

export const cases: readonly Case[] = SHAPES.map(([rows, T, radius], seed): Case => {
  // from a row of no step to one of all
  const length = wholes(seed, rows, T + 1);
  length[0] = T;
  const played = wholes(seed + 1, 2 * rows * (T + 1), 1024);
  // few, so that states cover the same; in every shape one is the highest there is
  for (let k = 1; k < played.length; k += 2) played[k] = k % 5 === 0 ? 1023 : played[k]! % 70;
  const items = [1000, 7, 1023];
  const levels = Uint32Array.of(...items, ...Array.from({ length: 4 * rows }, (_, k) => Math.floor(k / 4) % 3));
  const [covered, cover] = [new Float32Array(rows * (T + 1)), new Float32Array(rows * (T + 1))];
  length.forEach((n, row) => {
    const made = coverage(n, (t, add) => {
      for (let k = 0; k <= radius; k++) add((played[2 * (row * (T + 1) + t) + 1]! + 31 * k) & 1023);
      add(items[row % 3]!);
    });
    covered.set(made.covered, row * (T + 1));
    cover.set(made.own, row * (T + 1));
  });
  return {
    name: `covered of ${rows}×${T}, ${radius + 2} a state`,
    kernel: coveredWith(WORLD),
    dims: { rows, T, words: 2, before: 1, assignAt: items.length, radius },
    groups: [Math.ceil(rows / 64)],
    buffers: { levels, played, length, covered: untouched(covered.length), cover: untouched(cover.length) },
    expected: { covered, cover },
    // whole numbers
    tolerance: { abs: 0, rel: 0 },
  };
});
