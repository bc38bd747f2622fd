import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { answerProb } from '../../gpu/shaders/signalKernels.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { DeviceScores } from './deviceScores.ts';

/** STORAGE | COPY_SRC | COPY_DST by value. */
const STORAGE = 0x80 | 0x04 | 0x08;

/** How likely the policy that played finds the true answer before each step, on the device: see `fillAnswers` of the CPU. */
export class GpuAnswers implements DeviceScores {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  /** [S, B] number of the true answer of each episode */
  private readonly truth: GPUBuffer;
  private readonly p: GPUBuffer;
  private readonly list: CommandList;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers) {
    const { S, B, T } = plan;
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.truth = gpu.buffer('tasks', S * B, STORAGE);
    this.p = gpu.buffer('batch', S * B * (T + 1), STORAGE);
    b.all.push(this.truth, this.p);
    b.batch.keep('answerProb', { buffer: this.p, offset: 0, size: 4 * S * B * (T + 1) });
    this.list = new CommandList(gpu, 'answers', b.all);
  }

  async record(): Promise<void> {
    const { plan, truth, p, list } = this;
    const { probs, length, ending } = this.b.columns;
    const { S, B, T, actions, env } = plan;
    // a world that asks nothing leaves zeros
    if (!env.asks) return;
    const { asks } = env;
    const first = asks.first(plan.level(plan.firstLevelSeed));
    const dims = { rows: S * B, cols: T, actions, first, answers: asks.answers };
    await list.add(answerProb, { probs, truth, length, ending, p }, dims, [Math.ceil((S * B * (T + 1)) / 64)]);
  }

  /** Fills the column of the batch that was played last; nothing is waited for. */
  fill({ episodeSeed }: Tasks): void {
    const { gpu, plan, truth, list } = this;
    const { asks } = plan.env;
    if (!asks) return;
    const words = Uint32Array.from({ length: plan.S * plan.B }, (_, row) => asks.truth(episodeSeed[row]!));
    gpu.device.queue.writeBuffer(truth, 0, words);
    const encoder = gpu.device.createCommandEncoder({ label: 'answers' });
    list.encode(encoder);
    gpu.device.queue.submit([encoder.finish()]);
  }
}
