import { klOfRows } from '../slots/metrics/batchMeasures.ts';
import type { BatchView } from '../engine/backend.ts';
import { noExactReason } from '../engine/exactValues.ts';
import type { Plan } from '../engine/plan.ts';

/** π(a|s) of all states of a level before and after the update, [n, actions] each. */
export type Moved = { readonly probs: Float32Array; readonly after: Float32Array };

/** KL(π_before‖π_after) of every state of a level. */
export function movedStates({ probs, after }: Moved, actions: number): Float32Array {
  return Float32Array.from({ length: probs.length / actions }, (_, s) =>
    klOfRows(probs, s * actions, after, s * actions, actions),
  );
}

/**
 * Exact KL of the update in both directions, mean over the steps of a batch; null where a step has no row in a table of
 * states, or the policy is no function of the state. mapRow: [B, T+1].
 */
export function exactKl(
  plan: Plan,
  view: Pick<BatchView, 'batch' | 'probs' | 'levelSeeds'>,
  levels: ReadonlyMap<number, Moved>,
  mapRow: Uint32Array,
): { readonly klExact: number | null; readonly klReverse: number | null } {
  const none = { klExact: null, klReverse: null };
  if (noExactReason(plan) !== null) return none;
  const { B, T, actions } = plan;
  const { batch, probs } = view;
  let forward = 0;
  let reverse = 0;
  let steps = 0;
  for (let i = 0; i < B; i++) {
    const after = levels.get(view.levelSeeds[i]!)?.after;
    if (!after) return none;
    for (let t = 0; t < batch.length[i]!; t++, steps++) {
      const row = mapRow[i * (T + 1) + t]!;
      if (row === 0xffffffff) return none;
      const at = (i * T + t) * actions;
      forward += klOfRows(probs, at, after, row * actions, actions);
      reverse += klOfRows(after, row * actions, probs, at, actions);
    }
  }
  const orNull = (x: number): number | null => (Number.isFinite(x) ? x : null);
  return { klExact: orNull(forward / steps), klReverse: orNull(reverse / steps) };
}
