import { RUNNING } from '../../config/runState.ts';
import type { Batch } from '../../contract/columns.ts';
import { inUnits, withReturns } from '../../core/math/running.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';

/**
 * Returns in the units of the run so far (PPO-max, arXiv 2307.04964). The batch counts first, then
 *
 *   R' = clamp((R − μ)/(σ + 1e-6), ±c)      μ, σ over all returns of the run; 0 while they are all equal
 *
 * is what the estimator sees of an episode, paid at its last step as a reward model pays it. The record keeps the rewards
 * of the task. c = 0: no clip.
 */
export class RunningReward {
  /** [S, RUNNING] */
  readonly state: Float64Array;
  private readonly plan: Plan;
  private readonly reward: Float32Array;
  private readonly outcome: Float32Array;

  constructor(plan: Plan, state: Float64Array, columns: Pick<Arrays, 'runningReward' | 'runningOutcome'>) {
    this.plan = plan;
    this.state = state;
    this.reward = columns.runningReward;
    this.outcome = columns.runningOutcome;
  }

  /** The batch of replica s with returns in these units. */
  pay(batch: Batch, s: number): Batch {
    const { B, T, rewardClip: clip } = this.plan;
    const reward = this.reward.subarray(s * B * T, (s + 1) * B * T).fill(0);
    const outcome = this.outcome.subarray(s * B, (s + 1) * B);
    const at = s * RUNNING;
    const [n, mean, squares] = this.state.subarray(at, at + RUNNING) as unknown as [number, number, number];
    const running = withReturns({ n, mean, squares }, batch.outcome);
    this.state.set([running.n, running.mean, running.squares], at);
    for (let i = 0; i < B; i++) {
      outcome[i] = inUnits(batch.outcome[i]!, running, clip);
      reward[i * T + batch.length[i]! - 1] = outcome[i]!;
    }
    return { ...batch, reward, outcome };
  }
}
