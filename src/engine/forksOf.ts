import type { NumberArray } from '../contract/numbers.ts';
import type { ForkDecision, RowField, RowsSeen } from '../slots/rollout/types.ts';
import type { Plan, Tasks } from './plan.ts';
import { rowContext } from './plannedRows.ts';

/**
 * Why rows of replica s of a full batch were forked, and others not; nothing where the scheme does not say it.
 * @param column what the scheme looks at, of the replica
 */
export function forksOf(
  plan: Plan,
  tasks: Tasks,
  s: number,
  column: (name: RowField) => NumberArray,
): { readonly forks?: readonly ForkDecision[] } {
  const { scheme, B } = plan;
  if (!scheme?.why) return {};
  const columns = (scheme.needs ?? []).map((name) => [name, column(name)] as const);
  const seen = { count: B, ...Object.fromEntries(columns) } as unknown as RowsSeen; // what it needs alone
  return { forks: scheme.why(seen, rowContext(plan, tasks, s)) };
}
