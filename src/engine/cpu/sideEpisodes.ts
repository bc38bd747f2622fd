import { sum } from '../../core/stats.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { sideTasks, type Side } from '../sideEpisodes.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { CpuPolicy } from './policy.ts';
import type { CpuRestriction } from './restricted.ts';
import { playOf, playReplica } from './rollout.ts';
import type { Spread } from './update.ts';

/** One more episode per task, beside the batch, for a column that the estimator needs. */
export class CpuSideEpisodes {
  private readonly plan: Plan;
  private readonly side: Side;
  private readonly arrays: Arrays;
  private readonly policy: CpuPolicy;

  constructor(plan: Plan, side: Side, policy: CpuPolicy, arrays: Arrays = makeArrays(side.plan)) {
    this.plan = plan;
    this.side = side;
    this.arrays = arrays;
    this.policy = policy;
  }

  /** Plays the episodes of all replicas with the policy at theta; their returns go into the column of the batch. */
  *play(theta: Float32Array, tasks: Tasks, restriction: CpuRestriction | null, batch: Arrays, spread: Spread | null) {
    const policy = restriction?.over(this.policy) ?? this.policy;
    const by = { policy, theta, tasks: sideTasks(this.plan, tasks), mode: 'side', site: 'side' } as const;
    for (let s = 0; s < this.plan.S; s++) yield* playReplica(playOf(this.side.plan, this.arrays, by, s), null, spread);
    batch[this.side.of.makes].set(this.arrays.outcome);
  }

  /** Steps of the last episodes of replica s. */
  steps(s: number): number {
    return sum(this.arrays.length.subarray(s * this.side.plan.B, (s + 1) * this.side.plan.B));
  }

  get bytes(): number {
    return Object.values(this.arrays).reduce((sum, array) => sum + array.byteLength, 0);
  }
}
