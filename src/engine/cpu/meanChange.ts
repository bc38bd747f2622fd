import { meanLogp } from '../../core/math/distribution.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { askAbout, type Asking } from './asking.ts';
import type { CpuPolicy } from './policy.ts';

/** How far the mean log-probability of all legal actions has moved since the batch was sampled, for whoever asks. */
export class MeanChange {
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly step: Int32Array;
  private readonly p: Float32Array;
  private readonly change: Float64Array;

  constructor(plan: Plan, policy: CpuPolicy) {
    this.plan = plan;
    this.policy = policy;
    this.step = new Int32Array(policy.chunk);
    this.p = new Float32Array(policy.chunk * plan.actions);
    this.change = new Float64Array(plan.B * plan.T);
  }

  /** m(π_θ) − m(π_old) of every step of these trajectories, [B, T]; overwritten by the next call. */
  of(arrays: Arrays, theta: Float32Array, s: number, trajectories: Uint32Array): Float64Array {
    const { plan, policy, step, p, change } = this;
    const { actions } = plan;
    const first = s * plan.B * plan.T;
    const compare = (asking: Asking): void => {
      policy.stepProbs(asking, p);
      for (let k = 0; k < asking.n; k++) {
        const at = step[k]!;
        const legal = arrays.legal[at]!;
        const before = meanLogp(arrays.probs, at * actions, actions, legal);
        change[at - first] = meanLogp(p, k * actions, actions, legal) - before;
      }
    };
    askAbout(plan, { arrays, theta, s, step }, compare, trajectories);
    return change;
  }
}
