import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { meanLogp } from '../../core/math/distribution.ts';
import { softmaxRow } from '../../networks/dense/dense.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** What cpu/meanChange.ts tells, from logits that come back with the look at a minibatch. */
export class GpuMeanChange {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private legal = new Uint32Array();
  private readonly before: Float64Array;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.before = new Float64Array(plan.S * plan.B * plan.T);
  }

  /** Reads how the batch was sampled: legal actions and m(π_old). */
  async begin(): Promise<void> {
    const { gpu, plan, b, before } = this;
    const [choice, read] = await together([readBack(gpu, whole(b.choice)), readBack(gpu, b.columns.probs)]);
    const probs = new Float32Array(read);
    this.legal = new Uint32Array(choice);
    for (let k = 0; k < before.length; k++) before[k] = meanLogp(probs, k * plan.actions, plan.actions, this.legal[k]!);
  }

  /** m(π_θ) − m(π_old) of every step after the last forward pass, [S, B, T]; padding holds anything. */
  async of(): Promise<Float64Array> {
    const { gpu, plan, b, before, legal } = this;
    const n = outputsOf(plan);
    const z = new Float32Array(await readBack(gpu, whole(b.out)));
    const p = new Float32Array(plan.actions);
    return before.map((m, k) => {
      softmaxRow(z, k * n, plan.actions, legal[k]!, 1 / plan.temperature, p, 0);
      return meanLogp(p, 0, plan.actions, legal[k]!) - m;
    });
  }
}
