import { mostMoved, nearKl } from '../../methods/analysis/staleness.ts';
import type { Arrays } from '../arrays.ts';
import { unitVersions } from '../ages.ts';
import type { Plan } from '../plan.ts';
import type { CpuPolicy } from './policy.ts';

/** Real steps of replica s in chunks: flat indices in step[0 … n). */
export function eachChunk(
  plan: Plan,
  arrays: Arrays,
  s: number,
  trajectories: Iterable<number>,
  step: Int32Array,
  visit: (n: number) => void,
): void {
  let n = 0;
  for (const i of trajectories) {
    const row = s * plan.B + i;
    for (let t = 0; t < arrays.length[row]!; t++) {
      step[n] = row * plan.T + t;
      if (++n < step.length) continue;
      visit(n);
      n = 0;
    }
  }
  if (n > 0) visit(n);
}

/**
 * Where an update starts when its batch is old or was played by rounded weights: log π_prox of every decision, and how
 * far the policy that played is from the one that learns.
 */
export class UpdateStart {
  /** log π_prox of decision d of a step at step·unitsMax + d */
  readonly logp: Float64Array;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly step: Int32Array;
  private readonly probs: Float32Array;

  constructor(plan: Plan, policy: CpuPolicy) {
    this.plan = plan;
    this.policy = policy;
    this.logp = new Float64Array(plan.S * plan.B * plan.T * policy.unitsMax);
    this.step = new Int32Array(policy.chunk);
    this.probs = new Float32Array(policy.chunk * plan.actions);
  }

  /** log π of all decisions of replica s with the parameters its update starts with. */
  look(arrays: Arrays, theta: Float32Array, s: number): void {
    eachChunk(this.plan, arrays, s, rangeOf(this.plan.B), this.step, (n) =>
      this.policy.unitLogProbs(arrays, theta, s, this.step, n, this.logp),
    );
  }

  /** From the policy that played to the one at theta: mean exact KL over steps, and largest |Δ log π| of any action. */
  mismatch(arrays: Arrays, theta: Float32Array, s: number): { readonly kl: number; readonly most: number } {
    const { actions } = this.plan;
    let kl = 0;
    let most = 0;
    let steps = 0;
    eachChunk(this.plan, arrays, s, rangeOf(this.plan.B), this.step, (n) => {
      this.policy.stepProbs(arrays, theta, s, this.step, n, this.probs);
      for (let k = 0; k < n; k++) {
        const at = [arrays.probs, this.step[k]! * actions, this.probs, k * actions, actions] as const;
        kl += nearKl(...at);
        most = Math.max(most, mostMoved(...at));
      }
      steps += n;
    });
    return { kl: kl / steps, most };
  }
}

/** The version that played each unit of replica s. */
export function playedVersions(plan: Plan, arrays: Arrays, policy: CpuPolicy, update: number, s: number): number[] {
  const { B, T } = plan;
  const part = (values: Uint32Array): Uint32Array => values.subarray(s * B, (s + 1) * B);
  const rows = { length: part(arrays.length), taskIndex: part(arrays.taskIndex) };
  return unitVersions(plan, rows, update, s, (step) => policy.unitsAt(arrays, s * B * T + step));
}

const rangeOf = (n: number): Iterable<number> => Array.from({ length: n }, (_, i) => i);
