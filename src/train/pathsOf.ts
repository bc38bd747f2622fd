import type { Batch } from '../core/batch.ts';
import { fewestSteps } from '../core/dp.ts';
import { mean } from '../core/stats.ts';
import type { Enumeration } from '../envs/enumerate.ts';
import { successByPathLength } from '../methods/analysis/success.ts';

const shortest = new WeakMap<Enumeration, number | null>();

/** Fewest steps to success from the start of a level, worked out once. */
function shortestOf(all: Enumeration): number | null {
  if (!shortest.has(all)) shortest.set(all, fewestSteps(all.model, 0));
  return shortest.get(all)!;
}

/**
 * SPL and mean detour of the successes among some trajectories; null where a level is not enumerated or has no way to
 * success, and no detour without a success.
 */
export function pathsOf(
  batch: Pick<Batch, 'success' | 'length'>,
  rows: readonly number[],
  levelSeeds: ArrayLike<number>,
  known: ReadonlyMap<number, { readonly all: Enumeration }>,
): { readonly spl: number | null; readonly excessSteps: number | null } {
  const best: number[] = [];
  for (const i of rows) {
    const level = known.get(levelSeeds[i]!);
    const steps = level ? shortestOf(level.all) : null;
    if (steps === null) return { spl: null, excessSteps: null };
    best.push(steps);
  }
  const success = rows.map((i) => batch.success[i]!);
  const taken = rows.map((i) => batch.length[i]!);
  const detours = taken.flatMap((n, k) => (success[k] !== 0 ? [n - best[k]!] : []));
  return {
    spl: successByPathLength(success, best, taken),
    excessSteps: detours.length > 0 ? mean(detours) : null,
  };
}
