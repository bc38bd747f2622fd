import { cosTurn } from '../../../core/fmath.ts';
import { quantileSorted } from '../../../core/stats.ts';

/** Share of its final weight that imitation has: (1 − cos(πu/U_up))/2 up to U_up, then 1; times `coef`. */
export function imitationWeight(update: number, riseUpdates: number, coef: number): number {
  return update >= riseUpdates ? coef : (coef * (1 - cosTurn(update / riseUpdates / 2))) / 2;
}

/** What is left of the bonus for news: (1 + cos(πu/U_down))/2 before U_down, then 0. */
export function intrinsicWeight(update: number, decayUpdates: number): number {
  return update >= decayUpdates ? 0 : (1 + cosTurn(update / decayUpdates / 2)) / 2;
}

/** Stored episodes, entry by entry. */
export type Past = Readonly<Record<'update' | 'outcome' | 'storedAdvantage', ArrayLike<number>>>;

/**
 * Which stored episodes are still better than usual: b = median of the group means so far, Ã = R − b; kept are those not
 * older than `maxAge` that were good then (A > 0) and still are (Ã > 0). Without a history nothing is kept.
 */
export function recalibrate(
  past: Past,
  history: readonly number[],
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): { readonly baseline: number; readonly keep: readonly number[]; readonly advantage: readonly number[] } {
  const baseline = history.length > 0 ? quantileSorted(Float64Array.from(history).sort(), 0.5) : NaN;
  const { update, outcome, storedAdvantage } = past;
  const all = Array.from(update, (at, i) => {
    const again = outcome[i]! - baseline;
    const kept = now - at <= maxAge && storedAdvantage[i]! > 0 && again > 0;
    return kept ? again : 0;
  });
  return { baseline, keep: all.map((x) => Number(x > 0)), advantage: all };
}
