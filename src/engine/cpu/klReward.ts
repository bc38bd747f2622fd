import { isMeasured } from '../../contract/rows.ts';
import type { Batch } from '../../contract/columns.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { askAbout } from './asking.ts';
import type { CpuPolicy } from './policy.ts';

/**
 * The KL term in the reward: what the estimator sees pays for every step that the reference finds unlikely,
 *
 *   r' = r − β·Δ,   Δ = log π_old(a) − log π_ref(a)      R' = Σ r'
 *
 * which is a constant for the gradient. r is what the batch holds. The record keeps the rewards of the task.
 */
export class KlReward {
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly logpRef: Float32Array;
  private readonly reward: Float32Array;
  private readonly outcome: Float32Array;
  private readonly step: Int32Array;
  /** [S] β of the batch at hand */
  readonly beta: Float64Array;

  constructor(plan: Plan, policy: CpuPolicy, columns: Arrays) {
    this.plan = plan;
    this.policy = policy;
    this.logpRef = columns.logpReference;
    this.reward = columns.paidReward;
    this.outcome = columns.paidOutcome;
    this.step = new Int32Array(policy.chunk);
    this.beta = new Float64Array(plan.S);
  }

  /** The batch of replica s with these rewards, and the mean of Δ over the policy's own steps. */
  pay(batch: Batch, arrays: Arrays, reference: Float32Array, s: number, beta: number): { batch: Batch; kl: number } {
    const { plan, step, logpRef, reward, outcome } = this;
    const { B, T } = plan;
    askAbout(plan, { arrays, theta: reference, s, step }, (asking) => this.policy.logProbs(asking, logpRef));
    let total = 0;
    let steps = 0;
    for (let row = s * B; row < (s + 1) * B; row++) {
      let sum = 0;
      reward.fill(0, row * T, (row + 1) * T);
      for (let k = row * T; k < row * T + arrays.length[row]!; k++) {
        const delta = arrays.logp[k]! - logpRef[k]!;
        reward[k] = batch.reward[k - s * B * T]! - beta * delta;
        sum += reward[k]!;
        if (!isMeasured(arrays, row)) continue;
        total += delta;
        steps++;
      }
      outcome[row] = sum;
    }
    const part = { reward: reward.subarray(s * B * T, (s + 1) * B * T), outcome: outcome.subarray(s * B, (s + 1) * B) };
    return { batch: { ...batch, ...part }, kl: total / steps };
  }
}
