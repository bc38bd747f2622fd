/** What the released code of HiPER charges so that a language model switches; all of it 0 by default here. */
export type KeepPenalties = {
  /** paid by a step that keeps its subgoal: by each, or spread over them by their share of the steps */
  readonly keep: number;
  readonly spread: 'fixed' | 'normalized';
  /** paid where a step says that it keeps the subgoal and names another one */
  readonly inconsistent: number;
  /** paid by a refused action */
  readonly refused: number;
};

type Kept = {
  readonly B: number;
  readonly T: number;
  readonly length: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  readonly switched: ArrayLike<number>;
  readonly subgoal: ArrayLike<number>;
  readonly invalid: ArrayLike<number>;
};

/**
 * Rewards with the penalties of HiPER. `normalized`: keep·(share of keeping steps) spread over them, which is keep/length for
 * each, and nothing in an episode of one step. The first step of an episode never keeps.
 */
export function keepPenalties(batch: Kept, { keep, spread, inconsistent, refused }: KeepPenalties): Float32Array {
  const { B, T, length, switched, subgoal, invalid } = batch;
  const reward = Float32Array.from(batch.reward);
  for (let i = 0; i < B; i++) {
    const n = length[i]!;
    const each = spread === 'fixed' ? keep : keep / n;
    for (let t = 0; t < n; t++) {
      const k = i * T + t;
      const keeps = t > 0 && switched[k] === 0;
      const changed = keeps && subgoal[k] !== subgoal[k - 1];
      reward[k]! += (keeps ? each : 0) + (changed ? inconsistent : 0) + (invalid[k] === 1 ? refused : 0);
    }
  }
  return reward;
}
