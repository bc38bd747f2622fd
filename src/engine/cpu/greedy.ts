import { sum } from '../../core/stats.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import { greedyTasks } from '../greedy.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { ActionMask } from './actionMask.ts';
import { makeCpuPolicy, type CpuPolicy } from './policy.ts';
import { rolloutReplica } from './rollout.ts';

/** One episode per task with the most likely action of every step: what ReMax compares with. */
export class CpuGreedy {
  private readonly plan: Plan;
  private readonly greedy: Plan;
  private readonly arrays: Arrays;
  private readonly policy: CpuPolicy;

  constructor(plan: Plan, greedy: Plan) {
    this.plan = plan;
    this.greedy = greedy;
    this.arrays = makeArrays(greedy);
    this.policy = makeCpuPolicy(greedy);
  }

  /** Plays the episodes of all replicas with the policy at theta; their returns go into `to`, [S, P]. */
  play(theta: Float32Array, tasks: Tasks, mask: ActionMask | null, to: Float32Array): void {
    const own = greedyTasks(this.plan, tasks);
    const player = mask ? mask.over(this.policy) : this.policy;
    for (let s = 0; s < this.plan.S; s++) {
      rolloutReplica(this.greedy, this.arrays, { policy: player, theta, tasks: own, mode: 'greedy' }, s);
    }
    to.set(this.arrays.outcome);
  }

  /** Steps of the last episodes of replica s. */
  steps(s: number): number {
    return sum(this.arrays.length.subarray(s * this.greedy.B, (s + 1) * this.greedy.B));
  }

  get bytes(): number {
    return Object.values(this.arrays).reduce((sum, array) => sum + array.byteLength, 0);
  }
}
