import { isDegenerate, mean, std } from '../../../../core/stats.ts';
import { summed, untouched, wholes, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { ragged, segmentStats } from '../segmentStats/segmentStats.ts';

/** stats [S, 4] = count, least, width, 1 if the set may not be compared. */
export function wholeRange(S: number, B: number, cols: number, x: Float32Array, length: Uint32Array): Float32Array {
  const stats: number[] = [];
  for (let s = 0; s < S; s++) {
    const set: number[] = [];
    for (let row = s * B; row < (s + 1) * B; row++)
      for (let t = 0; t < Math.min(length[row]!, cols); t++) set.push(x[row * cols + t]!);
    const [low, high] = [Math.min(...set), Math.max(...set)];
    stats.push(set.length, ...(set.length > 0 ? [low, high - low] : [0, 0]), isDegenerate(set) ? 1 : 0);
  }
  return Float32Array.from(stats);
}

/** stats [S, 4] of the array in which the number of each row stands once for each of its steps. x [S, B] */
export function weightedStats(S: number, B: number, x: Float32Array, length: Uint32Array): Float32Array {
  const cols = Math.max(2, ...length);
  const steps = Float32Array.from({ length: S * B * cols }, (_, k) => x[Math.floor(k / cols)]!);
  return segmentStats(S, B, cols, 1, steps, length, new Uint32Array(S * B));
}

/** stats [S, 4] = count, mean, std, 1 if degenerate, of the means of the segments that have a member. */
export function meanStats(S: number, segments: number, means: Float32Array): Float32Array {
  const stats: number[] = [];
  for (let s = 0; s < S; s++) {
    const set: number[] = [];
    for (let g = s * segments; g < (s + 1) * segments; g++) if (means[4 * g]! > 0) set.push(means[4 * g + 1]!);
    stats.push(set.length, set.length > 0 ? mean(set) : 0, set.length > 1 ? std(set) : 0, isDegenerate(set) ? 1 : 0);
  }
  return Float32Array.from(stats);
}

const shapes = [
  [1, 1, 1, 1, 64],
  [2, 3, 4, 2, 64],
  [3, 65, 1, 5, 64],
  [2, 130, 9, 7, 192],
  [1, 300, 3, 131, 128],
] as const;

// sums of at most 900 numbers below 3 in one order, each merged with its mean
const tolerance = { abs: 2e-5, rel: 2e-5 };

export const cases: readonly Case[] = shapes.flatMap(([S, B, cols, segments, lanes], k): Case[] => {
  const { x, taskIndex, ...made } = ragged(10 * k, S, B, cols, segments);
  // some trajectories do not count at all
  const length = made.length.map((n, row) => (B > 1 && row % 4 === 3 ? 0 : cols === 1 ? (n * (row + 1)) % 7 : n));
  const parts = untouched(S * Math.max(lanes, 64) * 5);
  const where = `${S}×${B}×${cols} on ${lanes} lanes`;
  const whole = (said: string, { range = 0, weighted = 0 }, expected: Float32Array): Case => ({
    name: `wholeStats${said} ${where}`,
    ...summed(kernels.wholeStats, S, { B, cols, range, weighted }, lanes),
    buffers: { parts, x, length, stats: untouched(4 * S) },
    expected: { stats: expected },
    tolerance,
  });
  const means = segmentStats(S, B, cols, segments, x, length, taskIndex);
  // some segments are empty
  wholes(k, S * segments, 5).forEach((n, g) => void (n === 0 && (means[4 * g] = 0)));
  return [
    whole('', {}, segmentStats(S, B, cols, 1, x, length, taskIndex)),
    whole(', range', { range: 1 }, wholeRange(S, B, cols, x, length)),
    ...(cols === 1 ? [whole(', once for each step', { weighted: 1 }, weightedStats(S, B, x, length))] : []),
    {
      name: `meanStats of ${S}×${segments} segments on ${lanes} lanes`,
      ...summed(kernels.meanStats, S, { B: segments }, lanes),
      buffers: { parts, means, stats: untouched(4 * S) },
      expected: { stats: meanStats(S, segments, means) },
      tolerance,
    },
  ];
});
