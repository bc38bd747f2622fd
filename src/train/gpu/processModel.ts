import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole, type Slice } from '../../gpu/recorder.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import type { ProcessState, TrainState } from '../backend.ts';
import type { Plan } from '../plan.ts';
import { processState, type ProcessSettings } from '../processModel.ts';
import type { RunBuffers } from './buffers.ts';

/** Rows of the table of rates; far behind the last one they hardly change. */
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
  private readonly plan: Plan;

  constructor(gpu: Gpu, plan: Plan, settings: ProcessSettings, b: RunBuffers) {
    this.gpu = gpu;
    this.plan = plan;
    this.settings = settings;
    const { S, B, layout } = plan;
    const make = (label: string, words: number, uniform = 0): GPUBuffer => {
      const buffer = gpu.buffer(label, words, 0x80 | 0x04 | 0x08 | uniform);
      b.all.push(buffer);
      return buffer;
    };
    this.phi = make('weights', S * layout.size);
    this.m = make('weights', S * layout.size);
    this.v = make('weights', S * layout.size);
    this.steps = make('weights', S);
    this.logpPhi = whole(make('batch', b.section));
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

  load(state: TrainState): void {
    const { queue } = this.gpu.device;
    const { phi, m, v, steps } = processState(this.plan, state);
    queue.writeBuffer(this.phi, 0, phi as Float32Array<ArrayBuffer>);
    queue.writeBuffer(this.m, 0, m as Float32Array<ArrayBuffer>);
    queue.writeBuffer(this.v, 0, v as Float32Array<ArrayBuffer>);
    queue.writeBuffer(this.steps, 0, steps as Uint32Array<ArrayBuffer>);
  }

  async save(): Promise<ProcessState> {
    const size = this.plan.S * this.plan.layout.size;
    const read = (buffer: GPUBuffer): Promise<ArrayBuffer> => readBack(this.gpu, whole(buffer));
    const floats = async (buffer: GPUBuffer): Promise<Float32Array> =>
      new Float32Array(await read(buffer)).slice(0, size);
    const [phi, m, v] = await together([this.phi, this.m, this.v].map(floats));
    const steps = new Uint32Array(await read(this.steps)).slice(0, this.plan.S);
    return { phi: phi!, m: m!, v: v!, steps };
  }
}
