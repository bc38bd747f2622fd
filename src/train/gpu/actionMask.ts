import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Restriction } from '../../methods/types.ts';
import { outputs } from '../../policies/network.ts';
import { denseOf } from '../../policies/policy.ts';
import type { TrainState } from '../backend.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addForward } from './networkList.ts';
import { REPORT } from './report.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/** The mask policy of a run on the GPU: what cpu/actionMask.ts does, between the look and the decision of every step. */
export class GpuMask {
  /** [S, size] */
  readonly weights: GPUBuffer;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly rule: Restriction;
  /** [S, 2] legal actions of the steps played, and those that were removed */
  private readonly counts: Slice;
  /** the same of rollouts that are not reported */
  private readonly unread: GPUBuffer;

  constructor(gpu: Gpu, plan: Plan, rule: Restriction, b: RunBuffers) {
    const make = (label: string, words: number): GPUBuffer => {
      const buffer = gpu.buffer(label, words, STORAGE);
      b.all.push(buffer);
      return buffer;
    };
    this.gpu = gpu;
    this.plan = plan;
    this.rule = rule;
    this.b = b;
    this.weights = make('weights', plan.S * plan.layout.size);
    this.counts = b.report(REPORT.mask, 2);
    this.unread = make('report', plan.S * 2);
  }

  /** Records what narrows the legal actions of step t, in a rollout of the run or of its greedy episodes. */
  async addSet(list: CommandList, plan: Plan, b: RunBuffers, t: number): Promise<void> {
    const { rule } = this;
    const { S, B, T } = plan;
    const { shape } = denseOf(plan);
    await addForward(list, plan, b, this.weights, b.out, { slot: t });
    await list.add(
      kernels.topSet,
      { logits: b.out, length: b.length, choice: b.choice, counts: b === this.b ? this.counts : this.unread },
      {
        ...{ B, T, t, actions: shape.actions, n: outputs(shape), maxRows: B * T },
        ...{ minKeep: rule.minKeep, topP: rule.topP, inverse: 1 / this.plan.temperature },
      },
      [Math.ceil(B / 64), 1, S],
    );
  }

  /** Before a rollout: θ becomes the mask policy if it is time, and counting begins. */
  begin(encoder: GPUCommandEncoder, update: number): void {
    const { buffer, offset, size } = this.counts;
    encoder.clearBuffer(buffer, offset, size);
    if (update % this.rule.maskEvery === 0)
      encoder.copyBufferToBuffer(this.b.theta, 0, this.weights, 0, this.plan.S * this.plan.layout.size * 4);
  }

  load(state: TrainState): void {
    const weights = (state.mask ?? state.theta) as Float32Array<ArrayBuffer>;
    this.gpu.device.queue.writeBuffer(this.weights, 0, weights);
  }

  async save(): Promise<Float32Array> {
    const bytes = await readBack(this.gpu, whole(this.weights));
    return new Float32Array(bytes).slice(0, this.plan.S * this.plan.layout.size);
  }
}
