import { isDegenerate } from '../../../core/stats.ts';

/** A round of groups: their names, and what is compared of their episodes. */
export type PlayedRound = { readonly group: readonly number[]; readonly outcome: readonly (readonly number[])[] };

/** The setting that says what has to differ in a group. */
export const groupsThatStay = {
  kind: 'choice',
  label: 'Groups that stay',
  default: 'outcome',
  options: ['outcome', 'success'],
  optionLabels: ['those whose returns differ', 'those with successes and failures'],
} as const;

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
