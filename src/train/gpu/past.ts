import type { Gpu } from '../../gpu/device.ts';
import { CommandList, readBack, whole } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { LEVELS, outputRows } from '../../policies/precision.ts';
import type { TrainState } from '../backend.ts';
import { playsSeveral, versionOf } from '../behaviour.ts';
import { Past } from '../past.ts';
import { PlayedSteps } from '../playedSteps.ts';
import type { Plan, RolloutMode } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/**
 * Which weights play and which training sees, on the GPU: the last k + 1 versions one behind the other, and where
 * precision is lost, the rounding of θ. What plays is copied to `sampledTheta`, from which every rollout reads.
 */
export class GpuPast {
  /** what the training forward pass reads: θ itself, or its rounding */
  readonly seen: GPUBuffer;
  readonly steps: PlayedSteps;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  /** versions as they play; null where only the newest ever plays */
  private readonly versions: GPUBuffer | null;
  private readonly rounded: GPUBuffer;
  private readonly table: GPUBuffer | null;
  private readonly rows: number;
  private readonly bytes: number;
  private list: CommandList | null = null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    const { behaviour, layout, S } = plan;
    const make = (words: number): GPUBuffer => {
      const buffer = gpu.buffer('weights', words, STORAGE);
      b.all.push(buffer);
      return buffer;
    };
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.bytes = S * layout.size * 4;
    this.steps = new PlayedSteps(plan);
    const isExact = behaviour.precision === 'f32';
    const table = isExact ? [] : outputRows(layout).flatMap(({ start, count, stride }) => [start, count, stride]);
    this.rows = table.length / 3;
    this.versions = behaviour.lag > 0 ? make((behaviour.lag + 1) * S * layout.size) : null;
    this.rounded = isExact ? b.theta : make(S * layout.size);
    this.seen = behaviour.unified ? this.rounded : b.theta;
    this.table = isExact ? null : make(table.length);
    if (this.table) gpu.device.queue.writeBuffer(this.table, 0, Uint32Array.from(table));
  }

  /** Records the rounding of θ; nothing where θ plays as it is. */
  async addRounding(list: CommandList): Promise<void> {
    const { plan, b, table, rounded, rows } = this;
    const { precision } = plan.behaviour;
    if (!table || precision === 'f32') return;
    const { size } = plan.layout;
    const buffers = { table, x: b.theta, y: rounded };
    const isHalf = precision === 'f16';
    const dims = { size, rows, levels: isHalf ? 1 : LEVELS[precision], half: isHalf ? 1 : 0 };
    await list.add(kernels.roundCopy, buffers, dims, [Math.ceil(size / 64), 1, plan.S]);
    if (!isHalf) await list.add(kernels.roundRows, buffers, dims, [Math.ceil(rows / 64), 1, plan.S]);
  }

  async record(): Promise<void> {
    this.list = new CommandList(this.gpu, 'rounding', this.b.all);
    await this.addRounding(this.list);
  }

  /**
   * Keeps the weights with which update `update` begins, and puts those that play where rollouts read them; `eval` is
   * played by what training sees. Where several versions play a batch, `put` does that.
   */
  play(encoder: GPUCommandEncoder, update: number, mode: RolloutMode): void {
    const { plan, b, versions, bytes } = this;
    const to = b.sampledTheta;
    if (this.list!.length > 0) this.list!.encode(encoder);
    if (mode !== 'train') return encoder.copyBufferToBuffer(this.seen, 0, to, 0, bytes);
    if (!versions) return encoder.copyBufferToBuffer(this.rounded, 0, to, 0, bytes);
    encoder.copyBufferToBuffer(this.rounded, 0, versions, this.slotOf(update), bytes);
    if (playsSeveral(plan.behaviour)) return;
    const slot = this.slotOf(versionOf(plan.behaviour, 0, update, 0, 0, plan.T));
    encoder.copyBufferToBuffer(versions, slot, to, 0, bytes);
  }

  /** Puts a version of replica s where rollouts read. */
  put(encoder: GPUCommandEncoder, version: number, s: number): void {
    const at = s * this.plan.layout.size * 4;
    const { sampledTheta } = this.b;
    encoder.copyBufferToBuffer(this.versions!, this.slotOf(version) + at, sampledTheta, at, this.plan.layout.size * 4);
  }

  private slotOf(version: number): number {
    return (version % (this.plan.behaviour.lag + 1)) * this.bytes;
  }

  load(state: TrainState): void {
    const { versions, plan, bytes } = this;
    const { queue } = this.gpu.device;
    if (this.list!.length > 0) {
      const encoder = this.gpu.device.createCommandEncoder({ label: 'rounding' });
      this.list!.encode(encoder);
      queue.submit([encoder.finish()]);
    }
    this.steps.load(state);
    if (!versions) return;
    const past = new Past(plan);
    past.load(state.past, state.theta);
    for (let k = 0; k <= plan.behaviour.lag; k++)
      queue.writeBuffer(versions, k * bytes, past.at(k) as Float32Array<ArrayBuffer>);
  }

  async save(): Promise<Pick<TrainState, 'past' | 'played'>> {
    const { versions, plan, bytes } = this;
    if (!versions) return {};
    const all = await readBack(this.gpu, whole(versions));
    const past = new Past(plan);
    for (let k = 0; k <= plan.behaviour.lag; k++) past.at(k).set(new Float32Array(all, k * bytes, bytes / 4));
    return { past: past.save()!, ...this.steps.save() };
  }
}
