/** Steps with subgoals in an order, as VSC-RL (arXiv 2502.07949) cuts them. */
export type Subgoals = {
  readonly B: number;
  readonly T: number;
  readonly length: ArrayLike<number>;
  /** [B, T] 1 where the active subgoal was reached: then the next one is active */
  readonly reached: ArrayLike<number>;
  /** [B, T + 1] V(o, g) of a critic of success, the state after the last step included */
  readonly goalValue: ArrayLike<number>;
};

/**
 * A trajectory is cut after every subgoal that it reaches: r = 1 there, mc = base^(steps to the end of its part), 0 after the
 * last one. A step is kept for imitation if V(o′, g) − V(o, g) − margin + r + mc > 0.
 */
export function filteredSteps({ B, T, length, reached, goalValue }: Subgoals, base: number, margin: number) {
  const [subgoalReward, mcReturn, keep] = [new Float32Array(B * T), new Float32Array(B * T), new Float32Array(B * T)];
  for (let i = 0; i < B; i++) {
    let mc = 0;
    for (let t = length[i]! - 1; t >= 0; t--) {
      const k = i * T + t;
      const r = reached[k] === 1 ? 1 : 0;
      mc = r === 1 ? 1 : mc * base;
      const rise = goalValue[i * (T + 1) + t + 1]! - goalValue[i * (T + 1) + t]!;
      subgoalReward[k] = r;
      mcReturn[k] = mc;
      keep[k] = rise - margin + r + mc > 0 ? 1 : 0;
    }
  }
  return { subgoalReward, mcReturn, keep };
}
