/** What a proposer of tasks earns for one that its solver passes with probability p. */
export type ProposerRule = {
  /** `hard`: 1 − p, most for what is never solved; `frontier`: 4p(1 − p), most for what is solved half of the time */
  readonly shape: 'hard' | 'frontier';
  /** what a task earns that cannot be solved at all */
  readonly invalidReward: number;
};

/** Reward of the proposer of SSP (arXiv 2510.18821): hard 1 − p̂, frontier 4p̂(1 − p̂); an invalid task gets the penalty. */
export function proposerReward(p: number, isValid: boolean, { shape, invalidReward }: ProposerRule): number {
  if (!isValid) return invalidReward;
  return shape === 'hard' ? 1 - p : 4 * p * (1 - p);
}
