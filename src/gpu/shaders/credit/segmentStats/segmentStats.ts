import { isDegenerate, mean, std } from '../../../../core/stats.ts';
import { numbers, untouched, wholes, type Case, type Numbers } from '../../../conformance.ts';
import { segmentStatsCall } from '../../../segments.ts';

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

/** With `weighted`, the number of each row stands for all of its steps: stats of the array that repeats it. x [S, B]. */
export function weightedStats(
  S: number,
  B: number,
  segments: number,
  { x, length, taskIndex }: { x: Float32Array; length: Uint32Array; taskIndex: Uint32Array },
): Float32Array {
  const cols = Math.max(2, ...length);
  const steps = Float32Array.from({ length: S * B * cols }, (_, k) => x[Math.floor(k / cols)]!);
  return segmentStats(S, B, cols, segments, steps, length, taskIndex);
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

const everyStep: readonly Case[] = shapes.flatMap(([S, B, cols, tasks], k) =>
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

/** One number per row, which counts once for each step: lengths of 0 to 40, also groups of one row of one step. */
const weighted: readonly Case[] = (
  [
    [1, 1, 1, 1],
    [2, 3, 2, 3],
    [3, 63, 8, 8],
    [1, 65, 7, 65],
    [1, 257, 1, 257],
    [2, 130, 2, 65],
  ] as const
).map(([S, B, segments, block], k): Case => {
  const length = wholes(900 + k, S * B, 41).map((n, row) => (row % 5 === 4 ? Math.min(n, 1) : n));
  const inOrder = Uint32Array.from({ length: S * B }, (_, row) => Math.floor((row % B) / block));
  const taskIndex = block === B ? wholes(950 + k, S * B, segments) : inOrder;
  // the first group agrees up to rounding: it must count as degenerate
  const x = numbers(970 + k, S * B, -3, 3).map((v, row) => (taskIndex[row] === 0 && segments > 1 ? 1 + 1e-7 : v));
  const rows = { x, length, taskIndex };
  const call = segmentStatsCall(S, B, 1, segments, block);
  return {
    name: `segmentStats ${S}×${B} in ${segments} segments of ${block}, each row once for each step`,
    ...call,
    dims: { ...call.dims, weighted: 1 },
    buffers: { ...rows, stats: untouched(S * segments * 4) },
    expected: { stats: weightedStats(S, B, segments, rows) },
    // sums of at most 257 · 40 numbers below 3, divided by their count
    tolerance: { abs: 2e-5, rel: 2e-5 },
  };
});

export const cases: readonly Case[] = [...everyStep, ...weighted];
