import { mean } from '../../../core/stats.ts';

/**
 * Estimated success of a task from its visits, oldest first, each with its outcomes: those of the newest visit if it has
 * `window` of them, else the newest `window` over all visits. It is `seen` once `minCount` outcomes exist.
 */
export function successRate(
  visits: readonly (readonly number[])[],
  { window, minCount }: { readonly window: number; readonly minCount: number },
): { readonly seen: boolean; readonly rate: number; readonly count: number } {
  const all = visits.flat();
  const newest = visits.at(-1) ?? [];
  const used = newest.length >= window ? newest : all.slice(-window);
  return { seen: all.length >= minCount, rate: used.length > 0 ? mean(used) : 0, count: all.length };
}
