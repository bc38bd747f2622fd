import type { Gpu } from '../../gpu/device.ts';
import { type CommandList, type Slice } from '../../gpu/recorder.ts';
import { restrictWith, restrictWordsWith } from '../../gpu/shaders/restrictKernels.ts';
import type { Chosen } from '../../contract/module.ts';
import type { Restriction } from '../../slots/rollout/types.ts';
import { outputs } from '../../networks/dense/shape.ts';
import { denseOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { REPORT } from './report.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import type { CommandBatch } from './tokenCommandList.ts';
import { addTokenForward } from '../../networks/transformer/tokenList.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/** What restricts the choice of actions of a run on the GPU: what cpu/restricted.ts does, between the look and the decision of every step. */
export class GpuRestriction {
  /** [S, size] */
  readonly weights: GPUBuffer;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly rule: Chosen<Restriction>;
  private readonly inTraining: boolean;
  /** [S, 2] legal actions of the steps played, and those that were removed */
  private readonly counts: Slice;
  /** the same of rollouts that are not reported */
  private readonly unread: GPUBuffer;
  /** [S, B] legal bits of a step as they were before */
  private readonly before: GPUBuffer;

  constructor(gpu: Gpu, plan: Plan, rule: Chosen<Restriction>, b: RunBuffers) {
    const make = (label: string, words: number): GPUBuffer => {
      const buffer = gpu.buffer(label, words, STORAGE);
      b.all.push(buffer);
      return buffer;
    };
    this.plan = plan;
    this.rule = rule;
    this.inTraining = rule.module.inTraining(rule.params);
    this.b = b;
    this.weights = b.tensors.buffer(rule.module.weights);
    this.counts = b.report(REPORT.restriction, 2);
    this.unread = make('report', plan.S * 2);
    this.before = make('batch', plan.S * plan.B);
  }

  /** Records what narrows the legal actions of step t, in a rollout of the run or of its side episodes. */
  async addSet(list: CommandList, plan: Plan, b: RunBuffers, t: number): Promise<void> {
    await b.network.addForward(list, this.weights, b.out, { slot: t });
    await this.addHead(list, plan, b, t, 'main');
  }

  /** Behind the decision: where training does not know of the set, the legal actions are what they were. */
  async addRestore(list: CommandList, plan: Plan, b: RunBuffers, t: number): Promise<void> {
    if (!this.inTraining) await this.addHead(list, plan, b, t, 'restore');
  }

  private async addHead(
    list: CommandList,
    plan: Plan,
    b: RunBuffers,
    t: number,
    entry: 'main' | 'restore',
  ): Promise<void> {
    const { S, B, T } = plan;
    const { shape } = denseOf(plan);
    await list.add(
      restrictWith(this.rule.module.wgsl, entry),
      { logits: b.out, length: b.columns.length, ...this.narrowed(b.choice) },
      { B, T, t, actions: shape.actions, n: outputs(shape), maxRows: B * T, ...this.setDims },
      [Math.ceil(B / 64), 1, S],
    );
  }

  /** The same for the rows of a chunk, where actions are written: between packing and reading it. */
  async addCommandSet(list: CommandList, b: TokenBuffers, batch: CommandBatch): Promise<void> {
    await addTokenForward(list, b, this.weights);
    await this.addCommandHead(list, b, batch, 'main');
  }

  async addCommandRestore(list: CommandList, b: TokenBuffers, batch: CommandBatch): Promise<void> {
    if (!this.inTraining) await this.addCommandHead(list, b, batch, 'restore');
  }

  private async addCommandHead(
    list: CommandList,
    b: TokenBuffers,
    batch: CommandBatch,
    entry: 'main' | 'restore',
  ): Promise<void> {
    const { rows, grammar, S, B, T, R, n, shape } = b;
    const { actions } = shape;
    const { prefixes, masked } = shape.grammar;
    await list.add(
      restrictWordsWith(this.rule.module.wgsl, entry),
      { rows, logits: b.out(0), grammar, ...this.narrowed(batch.choice) },
      { B, T, R, n, J: prefixes.length, masked: Number(masked), actions, ...this.setDims },
      [Math.ceil(R / 64), 1, S],
    );
  }

  /** What a set is kept in; only rollouts of the run itself are counted. */
  private narrowed(choice: GPUBuffer): Record<'choice' | 'before' | 'counts', GPUBuffer | Slice> {
    return { choice, before: this.before, counts: choice === this.b.choice ? this.counts : this.unread };
  }

  private get setDims(): Record<'p0' | 'p1' | 'p2' | 'p3' | 'inverse', number> {
    const { module, params } = this.rule;
    const [p0, p1, p2, p3] = module.uniforms(params);
    return { p0, p1, p2, p3, inverse: 1 / this.plan.temperature };
  }

  /** Before a rollout: θ becomes its weights if it is time, and counting begins. */
  begin(encoder: GPUCommandEncoder, update: number): void {
    const { buffer, offset, size } = this.counts;
    encoder.clearBuffer(buffer, offset, size);
    if (this.rule.module.isRenewed(update, this.rule.params))
      encoder.copyBufferToBuffer(this.b.theta, 0, this.weights, 0, this.plan.S * this.plan.layout.size * 4);
  }
}
