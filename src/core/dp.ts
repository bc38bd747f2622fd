/**
 * A finite decision process with known transitions. State s and action a have the outcomes
 * offset[s·A + a] … offset[s·A + a + 1]; `next` −1 means that the episode ended.
 */
export type Model = {
  readonly states: number;
  readonly actions: number;
  /** [states·actions + 1] */
  readonly offset: Uint32Array;
  readonly next: Int32Array;
  readonly probability: Float64Array;
  /** [states·actions] expected reward r(s, a) */
  readonly reward: Float64Array;
  /** [states·actions] probability that the step ends in success */
  readonly success: Float64Array;
};

/** Values with t = 0 … T − 1 steps taken so far: V [T, states], Q [T, states, actions]. V_T ≡ 0: a cut episode is a failure. */
export type Values = { readonly T: number; readonly V: Float64Array; readonly Q: Float64Array };

/** π(a|s) as [states, actions], the same at every step; or one for each step, where it changes within an episode. */
export type PolicyTable = ArrayLike<number> | ((t: number) => ArrayLike<number>);

/** π(a|s) at step t. */
export const policyAt = (policy: PolicyTable, t: number): ArrayLike<number> =>
  typeof policy === 'function' ? policy(t) : policy;

/**
 * Backward induction for a fixed policy (Bellman; Puterman 1994, ch. 4), or for the best one when `policy` is null:
 *
 *   Q_t(s,a) = r(s,a) + γ Σ_{s′} P(s′|s,a) V_{t+1}(s′)     V_t(s) = Σ_a π_t(a|s) Q_t(s,a)   or   max_a Q_t(s,a)
 *
 * `of` chooses what is collected: reward, or the chance of success.
 */
export function backwardInduction(
  model: Model,
  policy: PolicyTable | null,
  T: number,
  gamma = 1,
  of: 'reward' | 'success' = 'reward',
): Values {
  const { states: n, actions: A, offset, next, probability } = model;
  const gain = model[of];
  const V = new Float64Array(T * n);
  const Q = new Float64Array(T * n * A);
  for (let t = T - 1; t >= 0; t--) {
    const pi = policy && policyAt(policy, t);
    for (let s = 0; s < n; s++) {
      let value = pi ? 0 : -Infinity;
      for (let a = 0; a < A; a++) {
        const sa = s * A + a;
        let q = gain[sa]!;
        if (t + 1 < T) {
          for (let k = offset[sa]!; k < offset[sa + 1]!; k++) {
            if (next[k]! >= 0) q += gamma * probability[k]! * V[(t + 1) * n + next[k]!]!;
          }
        }
        Q[(t * n + s) * A + a] = q;
        if (pi) value += pi[sa]! * q;
        else if (q > value) value = q;
      }
      V[t * n + s] = value;
    }
  }
  return { T, V, Q };
}

/** Optimal values without a step limit, by value iteration until nothing moves by more than `tolerance`. γ < 1. */
export function discountedOptimum(model: Model, gamma: number, tolerance = 1e-13): Float64Array {
  const { states: n, actions: A, offset, next, probability, reward } = model;
  let V = new Float64Array(n);
  for (let sweep = 0; sweep < 100_000; sweep++) {
    const better = new Float64Array(n);
    let change = 0;
    for (let s = 0; s < n; s++) {
      let best = -Infinity;
      for (let sa = s * A; sa < (s + 1) * A; sa++) {
        let q = reward[sa]!;
        for (let k = offset[sa]!; k < offset[sa + 1]!; k++) {
          if (next[k]! >= 0) q += gamma * probability[k]! * V[next[k]!]!;
        }
        if (q > best) best = q;
      }
      better[s] = best;
      change = Math.max(change, Math.abs(best - V[s]!));
    }
    V = better;
    if (change <= tolerance) break;
  }
  return V;
}
