import { selectRows } from '../contract/creditSubset.ts';
import type { NumberArray } from '../contract/numbers.ts';
import type { BatchView } from '../engine/backend.ts';
import type { Plan } from '../engine/plan.ts';

/**
 * Steps of a batch that a page gets at most, in whole tasks. Nobody looks through more of them, and all that is measured of
 * 65,536 episodes takes as long as an update of them.
 */
export const MOST_STEPS = 2 ** 17;

type Shown = { readonly plan: Plan; readonly view: BatchView };

/**
 * The first tasks of a large batch, as many as a page gets. A batch whose rows know of each other, or were
 * played by several versions or word by word, is shown whole.
 */
export function shownPart(plan: Plan, view: BatchView): Shown {
  const { P, G, B, T } = plan;
  const tasks = Math.max(1, Math.floor(MOST_STEPS / (G * T)));
  if (tasks >= P || plan.scheme || plan.behavior.lag > 0 || view.beside || view.written) return { plan, view };
  const sizes = { P: tasks, B: tasks * G };
  const rows = <A extends NumberArray>(values: A): A => values.subarray(0, (values.length / B) * sizes.B) as A;
  const { apart, pools } = view.batch;
  const batch = {
    ...selectRows(view.batch, (row) => row < sizes.B).batch,
    ...(apart && { apart: rows(apart) }),
    ...(pools && { pools: rows(pools) }),
  };
  const { world, A, parts, state, probs, levelSeeds, limits, delta } = view;
  return {
    plan: { ...plan, ...sizes },
    view: {
      ...view,
      ...{ batch, A: rows(A), state: rows(state), probs: rows(probs), delta: rows(delta) },
      ...{ levelSeeds: rows(levelSeeds), limits: rows(limits) },
      ...(world && { world: { reward: rows(world.reward), outcome: rows(world.outcome) } }),
      parts: Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, rows(values)])),
    },
  };
}
