import { whole } from '../contract/later.ts';
import type { AnyValues } from '../core/settings.ts';
import { estimators } from './methods.ts';
import { asMade, type Estimator } from './types.ts';

type Slot = { readonly method: string; readonly [name: string]: unknown };

/** An estimator by its id, as these settings make it. */
export function estimatorOf(id: string, params: AnyValues): Estimator | undefined {
  const found = estimators.find((e) => e.id === id);
  return found && asMade(found, params);
}
/** The estimator that a config has chosen, as its settings make it. */
export const estimatorIn = (slot: Slot): Estimator | undefined =>
  estimatorOf(slot.method, (slot[slot.method] ?? {}) as AnyValues);

/** Why the settings of an estimator cannot be read, and which of them; null where they can. */
export function unreadable(
  id: string,
  params: AnyValues,
): { readonly setting: string; readonly message: string } | null {
  const made = estimators.find((e) => e.id === id)?.made?.(params as never);
  return made && !made.ok ? made : null;
}
/** The same of what a config has chosen, as an issue at its field. */
export function unreadableIn(slot: Slot): { readonly path: string; readonly message: string } | null {
  const found = unreadable(slot.method, (slot[slot.method] ?? {}) as AnyValues);
  return found && { path: `advantage.${slot.method}.${found.setting}`, message: found.message };
}

/** Loads what some estimators need before they are asked for; null: it is there. */
export function prepareEstimators(ids: readonly string[]): Promise<void> | null {
  const asked = estimators.filter(({ id }) => ids.includes(id));
  const waits = [whole(asked), ...asked.map((e) => e.prepare?.() ?? null)].filter((wait) => wait !== null);
  return waits.length > 0 ? Promise.all(waits).then(() => undefined) : null;
}
