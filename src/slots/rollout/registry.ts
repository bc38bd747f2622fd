import type { Origin } from '../../contract/rows.ts';
import { demonstrations } from './demonstrations/demonstrations.ts';
import type { AnyValues } from '../../core/settings.ts';
import type { Rollout, RolloutScheme } from './types.ts';

/** Schemes that objectives ask for: they give rows of an origin, as many in every group as the objective says. */
export const schemes: Readonly<Partial<Record<Origin, (count: number) => RolloutScheme>>> = { demo: demonstrations };

/** False for a module that samples every row from the start. */
export const hasScheme = ({ first, next }: Pick<Rollout, 'first' | 'next'>): boolean =>
  first !== undefined || next !== undefined;

/** The scheme of a module with its settings, for batches of P groups of G; null: every row is a fresh one of the policy. */
export function schemeWith(
  rollout: Rollout,
  params: AnyValues,
  { P, G }: { readonly P: number; readonly G: number },
): RolloutScheme | null {
  if (!hasScheme(rollout)) return null;
  const { id, needs, forks, fresh, first, next } = rollout;
  return {
    id,
    ...(needs ? { needs } : {}),
    ...(forks ? { forks } : {}),
    spare: P * (G - (fresh?.(params as never, G) ?? G)),
    ...(first ? { first: (context) => first(context, params as never) } : {}),
    ...(next ? { next: (seen, context) => next(seen, context, params as never) } : {}),
  };
}
