import { wordsOf } from '../../networks/policy.ts';
import { isMeasured } from '../../contract/rows.ts';
import type { Batch } from '../../contract/columns.ts';
import { mostMoved, nearKl } from '../../core/math/nearKl.ts';
import { LOG_RATIO_LIMIT, ratioOf } from '../../core/math/ratio.ts';
import type { Arrays } from '../arrays.ts';
import { unitVersions } from '../ages.ts';
import type { Plan } from '../plan.ts';
import { askAbout } from './asking.ts';
import type { CpuPolicy, Seen } from './policy.ts';
import { recordStart } from './record.ts';
import { recordEntropy, type Written } from './recordEntropy.ts';

/** The batch of a replica, what was written in it, and room for the ratios of all. */
export type Started = { readonly batch: Batch; readonly written: Written; readonly delta: Float32Array };

/**
 * Where an update starts when another policy played its batch: the policy that trains is shown the whole batch once, before
 * the first step. From this look come log π_prox of every decision, the entropies, and how far what played is away.
 */
export class UpdateStart {
  /** log π_prox of decision d of a step at step·unitsMax + d */
  private readonly logp: Float64Array;
  private readonly seen: Seen;
  private readonly plan: Plan;
  private readonly policy: CpuPolicy;
  private readonly step: Int32Array;

  constructor(plan: Plan, policy: CpuPolicy, { logpStart }: Arrays) {
    const steps = plan.B * plan.T;
    this.plan = plan;
    this.policy = policy;
    this.logp = logpStart;
    this.step = new Int32Array(policy.chunk);
    this.seen = {
      probs: new Float32Array(steps * plan.actions),
      entropy: new Float32Array(steps),
      unitEntropy: new Float32Array(wordsOf(plan.policy) ? steps * policy.unitsMax : 0),
    };
  }

  /** Looks at the batch of replica s with the parameters its update starts with. */
  look(arrays: Arrays, theta: Float32Array, s: number): void {
    askAbout(this.plan, { arrays, theta, s, step: this.step }, (asking) =>
      this.policy.unitLogProbs(asking, this.logp, this.seen),
    );
  }

  /** log π_prox of all decisions, where the objective reads it. */
  get prox(): Float64Array | null {
    return this.plan.objective.readsProx === true ? this.logp : null;
  }

  /** From the policy that played to the one that was looked at: mean exact KL over steps, largest |Δ log π| of any action. */
  mismatch(arrays: Arrays, s: number): { readonly kl: number; readonly most: number } {
    const { B, T, actions } = this.plan;
    let kl = 0;
    let most = 0;
    let steps = 0;
    for (let row = s * B; row < (s + 1) * B; row++)
      for (let k = row * T; k < row * T + arrays.length[row]!; k++) {
        const at = [arrays.probs, k * actions, this.seen.probs, (k - s * B * T) * actions, actions] as const;
        kl += nearKl(...at);
        most = Math.max(most, mostMoved(...at));
        steps++;
      }
    return { kl: kl / steps, most };
  }

  /** Entropies, and ratios of the whole batch, of the policy that was looked at. `delta` [S, B, T] is written. */
  record(arrays: Arrays, { batch, written, delta }: Started, metrics: Float64Array, s: number): void {
    const { plan, policy } = this;
    const { B, T } = plan;
    recordEntropy(plan, batch, { ...written, ...this.seen }, metrics, s);
    const K = policy.unitsMax;
    const old = K === 1 ? arrays.logp : arrays.unitLogp;
    const perStep = plan.ratioLevel === 'step';
    const start = { trajectories: Uint32Array.from(Array(B).keys()), approxKL: 0, units: 0 };
    const count = (d: number): void => {
      const held = Math.max(-LOG_RATIO_LIMIT, Math.min(LOG_RATIO_LIMIT, d));
      start.approxKL += ratioOf(held) - 1 - held;
      start.units++;
    };
    for (let row = s * B; row < (s + 1) * B; row++)
      for (let step = row * T; step < row * T + arrays.length[row]!; step++) {
        let sum = 0;
        for (let k = step * K; k < step * K + policy.unitsAt(arrays, step); k++) {
          const d = this.logp[k]! - old[k]!;
          sum += d;
          if (!perStep && isMeasured(arrays, row)) count(d);
        }
        if (perStep && isMeasured(arrays, row)) count(sum);
        delta[step] = sum;
      }
    recordStart(plan, batch, { s, delta }, start, metrics);
  }
}

/** The version that played each unit of replica s. */
export function playedVersions(plan: Plan, arrays: Arrays, policy: CpuPolicy, update: number, s: number): number[] {
  const { B, T } = plan;
  const part = (values: Uint32Array): Uint32Array => values.subarray(s * B, (s + 1) * B);
  const rows = { length: part(arrays.length), taskIndex: part(arrays.taskIndex) };
  return unitVersions(plan, rows, update, s, (step) => policy.unitsAt(arrays, s * B * T + step));
}
