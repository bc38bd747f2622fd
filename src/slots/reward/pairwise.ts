import { groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/** Of each number the share of the others that are smaller, with half of those that are equal; ½ for one alone. */
export function beatenShare(values: readonly number[]): number[] {
  const n = values.length;
  if (n < 2) return values.map(() => 0.5);
  return values.map((x) => {
    let wins = -0.5; // it ties with itself
    for (const y of values) wins += x > y ? 1 : x === y ? 0.5 : 0;
    return wins / (n - 1);
  });
}

/**
 * Ranks in place of returns: an episode is paid what share of its group it beats.
 *
 *   r[last] = (#{j: R[j] < R[i]} + ½·#{j ≠ i: R[j] = R[i]})/(G − 1)      R: the return that the task paid
 *
 * Every increasing map of the returns gives the same pay, so one lucky episode cannot outweigh all others.
 */
export const pairwise = defineReward({
  id: 'pairwise',
  title: 'Share of the group beaten (Pairwise-RL)',
  rev: 1,
  kind: 'replacing',
  source: { title: 'A Unified Pairwise Framework for RLHF', arxiv: '2504.04950', level: 'restated' },
  needs: ['outcome', 'taskIndex', 'length'],
  formula: 'r[last] ← (#{R[j] < R[i]} + ½·#{R[j] = R[i]})/(G − 1)',
  look: 'Only the order of returns counts: the shaped return stays at ½. With returns of 0 and 1, GRPO learns as without it.',
  also: 'rank, ranking, win rate, preferences',
  params: settings({}),
  run(batch, _params, out) {
    for (const group of groupsOf(batch)) {
      const shares = beatenShare(group.map((i) => batch.outcome[i]!));
      group.forEach((i, k) => (out[i * batch.T + batch.length[i]! - 1] = shares[k]!));
    }
  },
});
