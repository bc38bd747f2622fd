import type { Batch } from '../../core/batch.ts';
import { EPSILON, SPREAD } from '../../core/stats.ts';
import type { Plan } from '../plan.ts';

/** Numbers of one replica: returns so far, their mean, and the sum of squared distances to it. */
export const RUNNING = 3;

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

  constructor(plan: Plan) {
    this.plan = plan;
    this.state = new Float64Array(plan.S * RUNNING);
    this.reward = new Float32Array(plan.S * plan.B * plan.T);
    this.outcome = new Float32Array(plan.S * plan.B);
  }

  load(state: Float64Array | undefined): void {
    if (state) this.state.set(state);
    else this.state.fill(0);
  }

  /** The batch of replica s with returns in these units. */
  pay(batch: Batch, s: number): Batch {
    const { B, T, rewardClip: clip } = this.plan;
    const reward = this.reward.subarray(s * B * T, (s + 1) * B * T).fill(0);
    const outcome = this.outcome.subarray(s * B, (s + 1) * B);
    const { mean, std } = this.count(batch.outcome, s);
    const isFlat = std <= SPREAD * Math.max(1, Math.abs(mean));
    for (let i = 0; i < B; i++) {
      const x = isFlat ? 0 : (batch.outcome[i]! - mean) / (std + EPSILON);
      outcome[i] = clip > 0 ? Math.max(-clip, Math.min(clip, x)) : x;
      reward[i * T + batch.length[i]! - 1] = outcome[i]!;
    }
    return { ...batch, reward, outcome };
  }

  /** Adds returns to those of the run: mean and squares of two sets put together (Chan et al.). */
  private count(returns: Float32Array, s: number): { mean: number; std: number } {
    const at = s * RUNNING;
    const [n, before, squares] = this.state.subarray(at, at + RUNNING) as unknown as [number, number, number];
    let sum = 0;
    for (const R of returns) sum += R;
    const own = sum / returns.length;
    let ownSquares = 0;
    for (const R of returns) ownSquares += (R - own) * (R - own);
    const all = n + returns.length;
    const moved = own - before;
    const mean = before + (moved * returns.length) / all;
    const M2 = squares + ownSquares + (moved * moved * n * returns.length) / all;
    this.state.set([all, mean, M2], at);
    return { mean, std: all > 1 ? Math.sqrt(M2 / (all - 1)) : 0 };
  }
}
