import type { Gpu } from '../../gpu/device.ts';
import { whole, type Slice } from '../../gpu/recorder.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import type { Plan } from '../plan.ts';
import type { ProcessSettings } from '../../slots/advantage/types.ts';
import type { RunBuffers } from './buffers.ts';

/** Rows of the table of rates; far after the last one they hardly change. */
const MOST = 65_536;

/** The process model φ of all replicas on the GPU: its parameters, and what its scores and steps need. */
export class GpuProcessModel {
  readonly settings: ProcessSettings;
  readonly phi: GPUBuffer;
  readonly m: GPUBuffer;
  readonly v: GPUBuffer;
  /** [S] optimizer steps taken */
  readonly steps: GPUBuffer;
  /** [S, B, T] */
  readonly logpPhi: Slice;
  /** [S, B] scores of trajectories */
  readonly q: GPUBuffer;
  /** [S, B, 2]: any weight and the length, for scoring; slope of the loss and the length, for learning */
  readonly scored: GPUBuffer;
  readonly slopes: GPUBuffer;
  /** [S, B] zeros: all trajectories are in one minibatch */
  readonly member: GPUBuffer;
  /** zeros: no entropy bonus, no KL term */
  readonly live: GPUBuffer;
  readonly rate: GPUBuffer;
  /** [most, 3] what the optimizer is told of step 1, 2, … */
  readonly table: GPUBuffer;
  readonly most: number;
  readonly rates: GPUBuffer;
  readonly norms: GPUBuffer;
  /** what the policy's update left in the run's `stats`, which φ's own pass overwrites */
  readonly policyStats: GPUBuffer;
  private readonly gpu: Gpu;

  constructor(gpu: Gpu, plan: Plan, settings: ProcessSettings, b: RunBuffers) {
    this.gpu = gpu;
    this.settings = settings;
    const { S, B } = plan;
    const make = (label: string, words: number, uniform = 0): GPUBuffer => {
      const buffer = gpu.buffer(label, words, 0x80 | 0x04 | 0x08 | uniform);
      b.all.push(buffer);
      return buffer;
    };
    this.phi = b.tensors.buffer('process.phi');
    this.m = b.tensors.buffer('process.m');
    this.v = b.tensors.buffer('process.v');
    this.steps = b.tensors.buffer('process.steps');
    this.logpPhi = whole(make('batch', b.section));
    b.batch.keep('logpPhi', this.logpPhi);
    this.q = make('credit', S * B);
    this.scored = make('tasks', 2 * S * B);
    this.slopes = make('tasks', 2 * S * B);
    this.member = make('tasks', S * B);
    this.live = make('tasks', LIVE_WORDS, 0x40);
    this.rate = make('tasks', 4);
    this.policyStats = make('activations', b.stats.size / 4);
    this.most = Math.min(MOST, plan.updates);
    this.table = make('tasks', 3 * this.most);
    this.rates = make('tasks', 4 * S);
    this.norms = make('report', 2 * S);
    const { optimizer, optimizerParams } = plan;
    const table = new Float32Array(3 * this.most);
    for (let k = 0; k < this.most; k++) table.set(optimizer.rates(k + 1, optimizerParams as never), 3 * k);
    gpu.device.queue.writeBuffer(this.table, 0, table);
  }

  /** Before the learning step of an update. */
  setRate(learningRate: number): void {
    const rate = Float32Array.of(this.settings.rate * learningRate, 0, 0, 0);
    this.gpu.device.queue.writeBuffer(this.rate, 0, rate);
  }
}
