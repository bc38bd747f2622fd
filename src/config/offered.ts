import { rollouts } from '../slots/registry.ts';
import { BRANCH_COLUMNS } from '../contract/rows.ts';
import { missingNames, recorded } from '../slots/advantage/given.ts';
import { estimators } from '../slots/methods.ts';
import type { Estimator } from '../slots/types.ts';

/** Columns that some run has. */
const made: readonly string[] = [...recorded, ...(rollouts.some((r) => r.forks) ? BRANCH_COLUMNS : [])];

/** Why no run can have a module yet, as what is said of the field that chooses it; null if runs can. */
export function notYet({ title, needs = [] }: { title: string; needs?: readonly string[] }): string | null {
  const names = missingNames(needs, made);
  return names === null ? null : `is ${title}, which needs ${names}; no run records that yet`;
}

/** The estimators that menus offer, in their order: those that some run can train with. The others stay definitions. */
export const offeredEstimators: readonly Estimator[] = estimators.filter((e) => notYet(e) === null);
