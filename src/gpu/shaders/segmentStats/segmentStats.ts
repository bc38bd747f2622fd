import { isDegenerate, mean, std } from '../../../core/stats.ts';
import { numbers, untouched, wholes, type Case, type Numbers } from '../../conformance.ts';
import { segmentStatsCall } from '../../segments.ts';

/** Members of every segment of one replica, in order: rows of a task group (or all), with their real steps. */
function segmentsOf(
  B: number,
  cols: number,
  segments: number,
  s: number,
  x: Float32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): number[][] {
  const sets = Array.from({ length: segments }, (): number[] => []);
  for (let i = 0; i < B; i++) {
    const row = s * B + i;
    for (let t = 0; t < (cols === 1 ? Math.min(1, length[row]!) : length[row]!); t++)
      sets[segments === 1 ? 0 : taskIndex[row]!]!.push(x[row * cols + t]!);
  }
  return sets;
}

/** stats [S, segments, 4] = count, mean, sample standard deviation, 1 if the set may not be compared. */
export function segmentStats(
  S: number,
  B: number,
  cols: number,
  segments: number,
  x: Float32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
): Float32Array {
  const stats: number[] = [];
  for (let s = 0; s < S; s++) {
    for (const set of segmentsOf(B, cols, segments, s, x, length, taskIndex)) {
      stats.push(set.length, set.length > 0 ? mean(set) : 0, set.length > 1 ? std(set) : 0, isDegenerate(set) ? 1 : 0);
    }
  }
  return Float32Array.from(stats);
}

/** Trajectories with ragged lengths in groups of unequal size; poisoned padding. */
export function ragged(
  seed: number,
  S: number,
  B: number,
  cols: number,
  tasks: number,
): { x: Float32Array; length: Uint32Array; taskIndex: Uint32Array } {
  const length = wholes(seed, S * B, cols).map((n) => n + 1);
  const taskIndex = wholes(seed + 1, S * B, tasks);
  const x = numbers(seed + 2, S * B * cols, -3, 3).map((v, k) => (k % cols < length[Math.floor(k / cols)]! ? v : 1e30));
  // the first group agrees up to rounding: it must count as degenerate
  for (let k = 0; k < x.length; k++)
    if (x[k]! < 1e29 && taskIndex[Math.floor(k / cols)] === 0) x[k] = 1 + 1e-7 * (k % 2);
  return { x, length, taskIndex };
}

export const shapes = [
  [1, 1, 1, 1],
  [2, 3, 4, 2],
  [3, 63, 1, 5],
  [1, 65, 9, 7],
  [1, 257, 3, 2],
] as const;

export const cases: readonly Case[] = shapes.flatMap(([S, B, cols, tasks], k) =>
  [
    [tasks, B],
    [Math.ceil(B / 8), 8],
    [1, B],
  ].map(([segments, block]): Case => {
    const { x, taskIndex: anywhere, ...made } = ragged(10 * k, S, B, cols, tasks);
    const taskIndex = block === B ? anywhere : anywhere.map((_, row) => Math.floor((row % B) / block!));
    // some trajectories do not count at all
    const length = made.length.map((n, row) => (B > 1 && row % 4 === 3 ? 0 : n));
    const buffers: Record<string, Numbers> = { x, length, taskIndex, stats: untouched(S * segments! * 4) };
    return {
      name: `segmentStats ${S}×${B}×${cols} in ${segments} segments of ${block === B ? 'any rows' : `${block} rows`}`,
      ...segmentStatsCall(S, B, cols, segments!, block!),
      buffers,
      expected: { stats: segmentStats(S, B, cols, segments!, x, length, taskIndex) },
      // sums of at most 771 numbers below 3, divided by their count
      tolerance: { abs: 2e-5, rel: 2e-5 },
    };
  }),
);
