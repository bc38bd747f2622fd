import { exp } from '../../core/fmath.ts';

/** Terms of the first-order change of right mass, their sum, S, and the change of one exact step. */
export type MassBalance = {
  readonly S: number;
  readonly terms: readonly [number, number, number];
  /** both parts of the third term: of wrong actions that were not sampled, and of right ones, the danger where S > 0 */
  readonly unsampled: readonly [wrong: number, right: number];
  readonly total: number;
  readonly exactDelta: number;
};

/** A step: what right and wrong actions are paid, η, and N samples. */
export type MassStep = Readonly<Record<'rewardCorrect' | 'rewardWrong' | 'eta' | 'rollouts', number>>;

/**
 * What one gradient step of size η does to the probability of right answers (BroRL, arXiv 2510.01180). One softmax, N
 * samples, reward R_c ≥ 0 for right and R_w ≤ 0 for wrong actions; what counts is whether an action was drawn, not how often:
 *
 *   Δz_b = (η/N)·p_b·(R_b·[sampled] − S)      S = R_c·P⁺ + R_w·P⁻ over the sampled probabilities
 *   ΔQ⁺ = (η/N)[ (R_c − S)Q⁻A₂ + (S − R_w)Q⁺B₂ + S(Q⁺U⁻ − Q⁻U⁺) ]
 *
 * A₂, B₂: Σp² over sampled right and wrong actions, U⁺, U⁻ over those not sampled, Q⁺, Q⁻ all right and wrong mass.
 */
export function massBalance(
  p: ArrayLike<number>,
  correct: ArrayLike<number>,
  sampledCount: ArrayLike<number>,
  { rewardCorrect, rewardWrong, eta, rollouts }: MassStep,
): MassBalance {
  let [S, right, A2, B2, rightUnseen, wrongUnseen] = [0, 0, 0, 0, 0, 0];
  for (let b = 0; b < p.length; b++) {
    const x = p[b]!;
    const isRight = correct[b] === 1;
    if (isRight) right += x;
    if (sampledCount[b]! > 0) S += x * (isRight ? rewardCorrect : rewardWrong);
    if (sampledCount[b]! > 0 && isRight) A2 += x * x;
    else if (sampledCount[b]! > 0) B2 += x * x;
    else if (isRight) rightUnseen += x * x;
    else wrongUnseen += x * x;
  }
  const wrong = 1 - right;
  const step = eta / rollouts;
  const unsampled = [step * S * right * wrongUnseen, -step * S * wrong * rightUnseen] as const;
  const terms = [
    step * (rewardCorrect - S) * wrong * A2,
    step * (S - rewardWrong) * right * B2,
    step * S * (right * wrongUnseen - wrong * rightUnseen),
  ] as const;
  let total = 0;
  let rightAfter = 0;
  for (let b = 0; b < p.length; b++) {
    const x = p[b]!;
    const reward = sampledCount[b]! > 0 ? (correct[b] === 1 ? rewardCorrect : rewardWrong) : 0;
    const moved = x * exp(step * x * (reward - S));
    total += moved;
    if (correct[b] === 1) rightAfter += moved;
  }
  return { S, terms, unsampled, total: terms[0] + terms[1] + terms[2], exactDelta: rightAfter / total - right };
}
