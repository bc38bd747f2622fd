import { sum } from '../../core/stats.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { sideTasks, type Side } from '../sideEpisodes.ts';
import type { Plan, Tasks } from '../plan.ts';
import { makeCpuPolicy, type CpuPolicy } from './policy.ts';
import type { CpuRestriction } from './restricted.ts';
import { rolloutReplica } from './rollout.ts';

/** One more episode per task, beside the batch, for a column that the estimator needs. */
export class CpuSideEpisodes {
  private readonly plan: Plan;
  private readonly side: Side;
  private readonly arrays: Arrays;
  private readonly policy: CpuPolicy;

  constructor(plan: Plan, side: Side) {
    this.plan = plan;
    this.side = side;
    this.arrays = makeArrays(side.plan);
    this.policy = makeCpuPolicy(side.plan);
  }

  /** Plays the episodes of all replicas with the policy at theta; their returns go into the column of the batch. */
  play(theta: Float32Array, tasks: Tasks, restriction: CpuRestriction | null, batch: Arrays): void {
    const own = sideTasks(this.plan, tasks);
    const player = restriction?.over(this.policy) ?? this.policy;
    for (let s = 0; s < this.plan.S; s++) {
      rolloutReplica(this.side.plan, this.arrays, { policy: player, theta, tasks: own, mode: 'side' }, s);
    }
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
