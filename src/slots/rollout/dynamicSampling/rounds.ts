import { isDegenerate } from '../../../core/stats.ts';
import type { RowsSeen } from '../types.ts';

/** A round of groups: their names, and what is compared of their episodes. */
export type PlayedRound = { readonly group: readonly number[]; readonly outcome: readonly (readonly number[])[] };

/** The setting that says what has to differ in a group. */
export const groupsThatStay = {
  kind: 'choice',
  label: 'Groups that stay',
  default: 'outcome',
  options: ['outcome', 'success', 'advantage'],
  optionLabels: ['those whose returns differ', 'those with successes and failures', 'those with any credit'],
} as const;
export type Filter = (typeof groupsThatStay)['options'][number];

/** What filters read. */
export const filterNeeds = ['taskIndex', 'outcome', 'success'] as const;
export const filtersCredit = ({ filter }: { readonly filter: Filter }): boolean => filter === 'advantage';

/** Credit below this is none (as in the metric of effective groups). */
const NO_CREDIT = 1e-8;

/**
 * Rows of each group of a replica, in order of first appearance, and whether they can teach. With the filter “advantage”
 * that is whether any step of the group has credit, which methods that judge steps find in groups that agree, too.
 */
export function groupsIn(
  seen: RowsSeen<(typeof filterNeeds)[number]>,
  filter: Filter,
): { readonly rows: readonly number[]; readonly stays: boolean }[] {
  const groups = new Map<number, number[]>();
  for (let i = 0; i < seen.count; i++) groups.set(seen.taskIndex[i]!, [...(groups.get(seen.taskIndex[i]!) ?? []), i]);
  const creditSize = filter === 'advantage' ? seen.creditSize : undefined;
  const { outcome, success } = seen;
  const compared = filter === 'success' ? success : outcome;
  return [...groups.values()].map((rows) => ({
    rows,
    stays: creditSize ? rows.some((i) => creditSize[i]! > NO_CREDIT) : hasSpread(rows.map((i) => compared[i]!)),
  }));
}

/** Can a group teach? One whose outcomes all agree cannot; one of a single episode is not compared, and stays. */
export const hasSpread = (outcome: ArrayLike<number>): boolean => outcome.length === 1 || !isDegenerate(outcome);

/**
 * Which groups a batch of `targetGroups` keeps: those with a spread, in order of arrival, round after round until there are
 * enough of them or `maxRounds` were played. What is over is dropped.
 */
export function keepGroups(
  rounds: readonly PlayedRound[],
  { targetGroups, maxRounds }: { readonly targetGroups: number; readonly maxRounds: number },
): {
  readonly kept: readonly number[];
  readonly used: number;
  readonly sampled: number;
  readonly status: 'full' | 'partial' | 'skip';
} {
  const kept: number[] = [];
  let [used, sampled] = [0, 0];
  for (const { group, outcome } of rounds) {
    if (kept.length >= targetGroups || used === maxRounds) break;
    used++;
    sampled += group.length;
    kept.push(...group.filter((_, k) => hasSpread(outcome[k]!)));
  }
  kept.splice(targetGroups);
  const status = kept.length === targetGroups ? 'full' : kept.length > 0 ? 'partial' : 'skip';
  return { kept, used, sampled, status };
}
