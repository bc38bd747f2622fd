/** The greatest of A values from `at` on. */
export function greatest(Q: Float64Array, at: number, A: number): number {
  let most = Q[at]!;
  for (let a = 1; a < A; a++) if (Q[at + a]! > most) most = Q[at + a]!;
  return most;
}

/** A step of an episode of SQIRL. */
export type Step = {
  readonly t: number;
  readonly s: number;
  readonly a: number;
  readonly reward: number;
  /** −1: the episode ended by itself */
  readonly next: number;
  /** return from here on */
  readonly back: number;
};

/** Q̂ᵏ of step t, [states, A]; −∞ where an action was never tried in a state. */
export function fitted(
  seen: readonly Step[],
  { t, T, n, A, k }: { t: number; T: number; n: number; A: number; k: number },
): Float64Array {
  const most = Math.min(k, T - t);
  // backups of the steps after t, the farthest first
  let after: Float64Array | null = null;
  for (let j = t + most - 1; j >= t; j--) {
    const sum = new Float64Array(n * A);
    const count = new Uint32Array(n * A);
    for (const step of seen) {
      if (step.t !== j) continue;
      const target: number =
        after === null ? step.back : step.reward + (step.next < 0 ? 0 : greatest(after, step.next * A, A));
      sum[step.s * A + step.a]! += target;
      count[step.s * A + step.a]!++;
    }
    after = sum.map((x, at) => (count[at]! > 0 ? x / count[at]! : -Infinity));
  }
  return after!;
}
