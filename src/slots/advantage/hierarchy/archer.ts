/** Two critics Q and V over whole actions, as ArCHer (arXiv 2402.19446) reads them; [B, T, 2] each. */
export type TwoCritics = {
  readonly B: number;
  readonly T: number;
  readonly length: ArrayLike<number>;
  readonly terminated: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  /** at the observation, and Q at an action that the policy of now chose anew */
  readonly q: ArrayLike<number>;
  readonly v: ArrayLike<number>;
  /** of the slow copies: Q at an action chosen anew, and V, [B, T + 1, 2], the state after the last step included */
  readonly qFresh: ArrayLike<number>;
  readonly vSlow: ArrayLike<number>;
};

/**
 *   target of Q_h = r + γ(1 − done)·V̄_h(o′)      target of V_h = Q̄_h(o, ã)      A = min(Q₁, Q₂) − min(V₁, V₂)
 *
 * Only the actor takes the smaller of the two. An episode that was cut goes on in its last state.
 */
export function utteranceCritics(batch: TwoCritics, gamma: number) {
  const { B, T, length, terminated, reward, q, v, qFresh, vSlow } = batch;
  const [qTarget, vTarget] = [new Float32Array(B * T * 2), new Float32Array(B * T * 2)];
  const adv = new Float32Array(B * T);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < length[i]!; t++) {
      const k = i * T + t;
      const isDone = t + 1 === length[i] && terminated[i] === 1;
      for (let h = 0; h < 2; h++) {
        const next = isDone ? 0 : vSlow[(i * (T + 1) + t + 1) * 2 + h]!;
        qTarget[2 * k + h] = reward[k]! + gamma * next;
        vTarget[2 * k + h] = qFresh[2 * k + h]!;
      }
      adv[k] = Math.min(q[2 * k]!, q[2 * k + 1]!) - Math.min(v[2 * k]!, v[2 * k + 1]!);
    }
  return { qTarget, vTarget, adv };
}
