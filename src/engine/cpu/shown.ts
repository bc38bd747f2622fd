import type { Tensors } from '../../contract/state.ts';
import { PURPOSE, random, uniform } from '../../core/random.ts';
import type { RolloutMemory, Shown } from '../../slots/rollout/memory/types.ts';
import type { Plan } from '../plan.ts';
import { rolloutOf } from '../rolloutOf.ts';

/** What rollouts do with their memory, by id, as far as this core has loaded it. */
const loaded = new Map<string, RolloutMemory>();

/** Loads what a plan's rollout does with its memory, where it has one. */
export async function loadMemory(plan: Pick<Plan, 'config'>): Promise<RolloutMemory | null> {
  const { module } = rolloutOf(plan);
  const memory = ((await module.memory?.()) ?? null) as RolloutMemory | null; // its settings are those of the plan
  if (memory) loaded.set(module.id, memory);
  return memory;
}

/** Whether a rollout writes what it remembers into states. */
export const isShown = (plan: Pick<Plan, 'config'>): boolean => rolloutOf(plan).module.wants === 'recalls';

/** Draws of an update of replica s that only its memory sees. */
export const memoryDraws =
  ({ seeds }: Pick<Plan, 'seeds'>, update: number, s: number) =>
  (n: number): number =>
    uniform(random(seeds[s]!, PURPOSE.playedAgain, update, n, 0));

/**
 * What a rollout of replica s writes into states before they are observed. It follows from the state, its row and from what
 * `remembered` holds before the update, never from other rows: so any core can do it.
 */
export function shownOf(
  plan: Plan,
  remembered: Tensors,
  { update, s, isTraining }: { readonly update: number; readonly s: number; readonly isTraining: boolean },
): ((step: Shown) => void) | null {
  const { module, params } = rolloutOf(plan);
  const { env, actions } = plan;
  const context = { env, actions, draw: memoryDraws(plan, update, s) };
  return loaded.get(module.id)?.shows?.(remembered, context, params, isTraining) ?? null;
}
