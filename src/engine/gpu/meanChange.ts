import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { choicesOf, meanLogp, softmax } from '../../core/math/distribution.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** What cpu/meanChange.ts tells, from logits that come back with the look at a minibatch. */
export class GpuMeanChange {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private legal = new Uint32Array();
  /** bit of every action in the word of its legal ones */
  private readonly bits: Uint32Array;
  private readonly before: Float64Array;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.bits = Uint32Array.from({ length: plan.actions }, (_, a) => 1 << a);
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
    const choices = choicesOf(z, 0, plan.actions, this.bits);
    choices.inverse = 1 / plan.temperature;
    return before.map((m, k) => {
      choices.at = k * n;
      choices.legal = legal[k]!;
      softmax(choices, p, 0);
      return meanLogp(p, 0, plan.actions, legal[k]!) - m;
    });
  }
}
