import type { Snapshot } from '../../worker/protocol.ts';

type Paid = Pick<Snapshot, 'reward' | 'outcome' | 'judged'>;

/** Rewards and returns as the estimator sees them: those of the world, unless it sees others. */
export const judgedOf = (snapshot: Paid): Pick<Snapshot, 'reward' | 'outcome'> => snapshot.judged ?? snapshot;

/** What the estimator sees in place of the rewards that the world pays, to end a sentence with. */
export function judgedWords({ isNormalized, shapedBy, paysKl }: NonNullable<Snapshot['judged']>): string {
  const shaped = shapedBy.length > 0 ? `rewards after shaping (${shapedBy.join(', ')})` : 'the rewards';
  const returns = isNormalized
    ? `returns in units of the run, paid at the last step${shapedBy.length > 0 ? `, of ${shaped}` : ''}`
    : shaped;
  return paysKl ? `${returns}, less the KL term of each step` : returns;
}
