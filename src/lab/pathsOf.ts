import type { Batch } from '../contract/columns.ts';
import { mean } from '../core/stats.ts';
import { fewestStepsWithin } from '../envs/enumerate.ts';
import { successByPathLength } from '../slots/metrics/success.ts';
import type { Plan } from '../engine/plan.ts';

/** States that searches may look at for one batch: a shown batch waits some ten milliseconds for them at most. */
const STATES = 2_000;

/** Fewest steps to success of the levels of a plan, each searched once; what a batch has no time for waits for the next. */
export class Shortest {
  private readonly plan: Pick<Plan, 'env' | 'level'>;
  private readonly steps = new Map<number, number | null>();
  private readonly most: number;

  constructor(plan: Pick<Plan, 'env' | 'level'>, most = STATES) {
    this.plan = plan;
    this.most = most;
  }

  /** Fewest steps of each of these levels; null for one that has no way or too many states; null if not all are known yet. */
  of(levelSeeds: ReadonlySet<number>): ReadonlyMap<number, number | null> | null {
    if (this.steps.size > 4096) this.steps.clear();
    let left = this.most;
    const found = new Map<number, number | null>();
    for (const seed of levelSeeds) {
      if (!this.steps.has(seed)) {
        if (left <= 0) return null;
        const { steps, isCut, states } = fewestStepsWithin(this.plan.env, this.plan.level(seed), left);
        // cut short by what others of this batch have used up: again with the next one
        if (isCut && left < this.most && states > 0) return null;
        left -= states;
        this.steps.set(seed, steps);
      }
      found.set(seed, this.steps.get(seed)!);
    }
    return found;
  }
}

/**
 * SPL and mean detour of the successes among some trajectories; null where the fewest steps of a level are not known, or
 * it has no way to success, and no detour without a success.
 */
export function pathsOf(
  batch: Pick<Batch, 'success' | 'length'>,
  rows: readonly number[],
  levelSeeds: ArrayLike<number>,
  shortest: ReadonlyMap<number, number | null> | null,
): { readonly spl: number | null; readonly excessSteps: number | null } {
  const best: number[] = [];
  for (const i of rows) {
    const steps = shortest?.get(levelSeeds[i]!) ?? null;
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
