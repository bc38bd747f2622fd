import { pastName } from '../../config/runState.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { LEVELS, outputRows } from '../../networks/precision.ts';
import { versionOf } from '../behavior.ts';
import { PlayedSteps } from '../playedSteps.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import { versionsOf, type PlayedVersions } from '../versions.ts';
import type { RunBuffers } from './buffers.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/**
 * Which weights play and which training sees, on the GPU: the last k + 1 versions one after the other, and where
 * precision is lost, the rounding of θ. What plays is copied to `sampledTheta`, from which every rollout reads.
 */
export class GpuPast {
  /** what the training forward pass reads: θ itself, or its rounding */
  readonly seen: GPUBuffer;
  readonly steps: PlayedSteps;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly rounded: GPUBuffer;
  private readonly table: GPUBuffer | null;
  private readonly rows: number;
  private readonly bytes: number;
  private list: CommandList | null = null;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    const { behavior, layout, S } = plan;
    const make = (words: number): GPUBuffer => {
      const buffer = gpu.buffer('weights', words, STORAGE);
      b.all.push(buffer);
      return buffer;
    };
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.bytes = S * layout.size * 4;
    this.steps = new PlayedSteps(behavior.lag > 0 ? b.tensors.host.of('played', 'f64') : new Float64Array(S), S);
    const isExact = behavior.precision === 'f32';
    const table = isExact ? [] : outputRows(layout).flatMap(({ start, count, stride }) => [start, count, stride]);
    this.rows = table.length / 3;
    this.rounded = isExact ? b.theta : make(S * layout.size);
    this.seen = behavior.unified ? this.rounded : b.theta;
    this.table = isExact ? null : make(table.length);
    if (this.table) gpu.device.queue.writeBuffer(this.table, 0, Uint32Array.from(table));
  }

  /** Records the rounding of θ; nothing where θ plays as it is. */
  async addRounding(list: CommandList): Promise<void> {
    const { plan, b, table, rounded, rows } = this;
    const { precision } = plan.behavior;
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
    const { plan, b, bytes } = this;
    const to = b.sampledTheta;
    if (this.list!.length > 0) this.list!.encode(encoder);
    if (mode !== 'train') return encoder.copyBufferToBuffer(this.seen, 0, to, 0, bytes);
    if (plan.behavior.lag === 0) return encoder.copyBufferToBuffer(this.rounded, 0, to, 0, bytes);
    encoder.copyBufferToBuffer(this.rounded, 0, this.version(update), 0, bytes);
    if (plan.behavior.several) return;
    encoder.copyBufferToBuffer(this.version(versionOf(plan, 0, update, 0, 0)), 0, to, 0, bytes);
  }

  /** Puts a version of replica s where rollouts read. */
  put(encoder: GPUCommandEncoder, version: number, s: number): void {
    const at = s * this.plan.layout.size * 4;
    const { sampledTheta } = this.b;
    encoder.copyBufferToBuffer(this.version(version), at, sampledTheta, at, this.plan.layout.size * 4);
  }

  /** The versions that played the batch of an update of replica s, where they may have been several. */
  async played(tasks: Tasks, s: number): Promise<PlayedVersions | null> {
    const { b, plan } = this;
    const found = versionsOf(plan, tasks, s);
    if (!found || plan.behavior.lag === 0) return null;
    const size = plan.layout.size * 4;
    const read = (version: number): Promise<ArrayBuffer> =>
      b.reads.of({ buffer: this.version(version), offset: s * size, size });
    const weights = await together(found.numbers.map(read));
    return { of: found.of, weights: weights.map((bytes) => new Float32Array(bytes)) };
  }

  private version(version: number): GPUBuffer {
    return this.b.tensors.buffer(pastName(version, this.plan.behavior.lag));
  }

  /** A state has been loaded. */
  loaded(): void {
    if (this.list!.length === 0) return;
    const encoder = this.gpu.device.createCommandEncoder({ label: 'rounding' });
    this.list!.encode(encoder);
    this.gpu.device.queue.submit([encoder.finish()]);
  }
}
