import type { Call } from './products.ts';
import { kernels } from './shaders/kernels.ts';

/** Rows of a segment up to which one invocation takes them all, if each has one number. */
const FEW = 64;

/**
 * The dispatch that finds count, mean and spread of every segment of S replicas: of every task group, whose rows lie in
 * one block of that many rows (B: anywhere), or of the whole batch where there is one segment. Bindings x, length,
 * taskIndex, stats. The form follows sizes alone. With `weighted` 1 a row of one number counts once for each of its steps.
 */
export function segmentStatsCall(S: number, B: number, cols: number, segments: number, block: number): Call {
  const dims = { B, cols, segments, block, weighted: 0 };
  return cols === 1 && segments > 1 && block <= FEW
    ? { kernel: kernels.segmentStatsFew, dims, groups: [Math.ceil(segments / 64), 1, S] }
    : { kernel: kernels.segmentStats, dims, groups: [segments, 1, S] };
}
