import { untouched, type Case } from '../../../conformance.ts';
import { kernels } from '../../kernels.ts';
import { ragged, segmentStats, shapes } from '../segmentStats/segmentStats.ts';

/**
 * mode 0 (x − mean)/(std + 1e-6), 1 x − mean, 2 n/(n − 1)·(x − mean), 3 that divided by the std over n (+ 1e-6), 4: 1,
 * 5 x/(std + 1e-6), 6 (x − mean)/std, 7 the mean, also of a degenerate segment, 8 x in a segment of one and 0 in others,
 * 9 (x − mean)/(std over n + 1e-6); other degenerate segments and padding exactly 0.
 */
export function normalizeBy(
  S: number,
  B: number,
  cols: number,
  segments: number,
  mode: number,
  x: Float32Array,
  length: Uint32Array,
  taskIndex: Uint32Array,
  stats: Float32Array,
): Float32Array {
  return Float32Array.from({ length: S * B * cols }, (_, k) => {
    const row = Math.floor(k / cols);
    if (cols > 1 && k % cols >= length[row]!) return 0;
    const at = (Math.floor(row / B) * segments + (segments === 1 ? 0 : taskIndex[row]!)) * 4;
    const [n, mean, std, isDegenerate] = stats.subarray(at, at + 4) as unknown as [number, number, number, number];
    if (mode === 7) return mean;
    if (mode === 8) return n === 1 ? x[k]! : 0;
    if (isDegenerate !== 0) return 0;
    const centered = x[k]! - mean;
    if (mode === 4) return 1;
    if (mode === 5) return x[k]! / (std + 1e-6);
    if (mode === 6) return centered / std;
    if (mode < 2) return mode === 0 ? centered / (std + 1e-6) : centered;
    const overN = std * Math.sqrt((n - 1) / n) + 1e-6;
    if (mode === 9) return centered / overN;
    return ((centered * n) / (n - 1)) * (mode === 3 ? 1 / overN : 1);
  });
}

export const cases: readonly Case[] = shapes.flatMap(([S, B, cols, tasks], k) =>
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((mode): Case => {
    const { x, length, taskIndex } = ragged(10 * k, S, B, cols, tasks);
    const segments = mode === 1 ? 1 : tasks;
    const stats = segmentStats(S, B, cols, segments, x, length, taskIndex);
    return {
      name: `normalizeBy mode ${mode}, ${S}×${B}×${cols} in ${segments} segments`,
      kernel: kernels.normalizeBy,
      dims: { B, cols, segments, mode },
      groups: [Math.ceil((B * cols) / 64), 1, S],
      buffers: { x, length, taskIndex, stats, y: untouched(S * B * cols) },
      expected: { y: normalizeBy(S, B, cols, segments, mode, x, length, taskIndex, stats) },
      // one subtraction of numbers below 6 and at most two divisions
      tolerance: { abs: 2e-6, rel: 2e-6 },
    };
  }),
);
