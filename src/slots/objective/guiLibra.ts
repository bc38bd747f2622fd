import type { Batch } from '../../contract/columns.ts';
import { groupsOf } from '../../core/batch.ts';
import { mean } from '../../core/stats.ts';

/**
 * Success-adaptive scale of negative credit (GUI-Libra, arXiv 2602.22190), per task group:
 *
 *   scale = clamp(b₀ + b₁·mean R, 0, 1)      A ← A·scale where A < 0
 *
 * Where success is rare a "wrong" says little, because only one of several right actions may be paid.
 */
export function negativeScale(meanOutcome: number, base: number, slope: number): number {
  return Math.max(0, Math.min(1, base + slope * meanOutcome));
}

/** A with the negative credit of every group scaled; padding stays 0. */
export function scaleNegativeCredit(
  A: Float32Array,
  batch: Pick<Batch, 'B' | 'T' | 'taskIndex' | 'outcome'>,
  base: number,
  slope: number,
): Float32Array {
  const result = A.slice();
  for (const group of groupsOf(batch)) {
    const scale = negativeScale(mean(group.map((i) => batch.outcome[i]!)), base, slope);
    for (const i of group) {
      for (let k = i * batch.T; k < (i + 1) * batch.T; k++) if (result[k]! < 0) result[k]! *= scale;
    }
  }
  return result;
}
