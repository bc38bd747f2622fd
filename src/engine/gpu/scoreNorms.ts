import type { Gpu } from '../../gpu/device.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { readBack, whole, type CommandList, type Slice } from '../../gpu/recorder.ts';
import { columnsOf, scoreNormOf } from '../../gpu/scoreNorm.ts';
import type { ScoreLayers } from '../../slots/types.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addLogpCoefficients } from './denseLook.ts';
import { layerOf, layersOf } from '../../networks/dense/denseList.ts';
import { DenseOnGpu } from '../../networks/dense/denseOnGpu.ts';

/** Squared lengths of the gradients of single trajectories, for objectives that weigh by them. */
export type ScoreNorms = {
  /** Of all trajectories after the last look, [S, B]; 0 for those without a weight there. `weights`: [S, B, 2] of it. */
  read(weights: Float32Array): Promise<Float64Array>;
  /** what they are the sums of, where a kernel may read it */
  readonly squares?: Squares;
};

/** [S, B, columns] sums of squares, each row of one trajectory. */
export type Squares = { readonly buffer: GPUBuffer; readonly columns: number };

function denseOf({ network }: RunBuffers): DenseOnGpu {
  if (!(network instanceof DenseOnGpu)) throw new Error('Gradients of single trajectories are those of dense layers.');
  return network;
}

/**
 * ‖∇ log π_θ(τ)‖² by all parameters or those of the last layer, of every trajectory of the minibatch that is looked at,
 * where the policy is a chain of dense layers. The gradients themselves are never stored: see scoreNorm.wgsl.
 */
export class DenseScoreNorms implements ScoreNorms {
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly network: DenseOnGpu;
  /** zeros: no entropy bonus, no KL term */
  private readonly live: GPUBuffer;
  /** the first layer that counts */
  private readonly first: number;
  /** first column of each layer from there on in `squares`, and of one after the last */
  private readonly columns: readonly number[];
  readonly squares: Squares;

  private constructor(gpu: Gpu, plan: Plan, b: RunBuffers, first: number, columns: readonly number[]) {
    const make = (label: string, words: number, uniform = 0): GPUBuffer => {
      const buffer = gpu.buffer(label, words, 0x80 | 0x04 | 0x08 | uniform);
      b.all.push(buffer);
      return buffer;
    };
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.network = denseOf(b);
    this.first = first;
    this.columns = columns;
    this.live = make('tasks', LIVE_WORDS, 0x40);
    const width = columns.at(-1)!;
    this.squares = { buffer: make('credit', plan.S * plan.B * width), columns: width };
  }

  static async make(gpu: Gpu, plan: Plan, b: RunBuffers, layers: ScoreLayers): Promise<DenseScoreNorms> {
    const net = await denseOf(b).net('all');
    const first = layers === 'all' ? 0 : layersOf(net) - 1;
    const columns = [0];
    for (let k = first; k < layersOf(net); k++) columns.push(columns.at(-1)! + columnsOf(layerOf(net, k)));
    return new DenseScoreNorms(gpu, plan, b, first, columns);
  }

  /** Behind the forward pass of a look, with the parameters of that pass; leaves Δ in the statistics as any look does. */
  async add(list: CommandList, theta: GPUBuffer): Promise<void> {
    const { plan, b, network, live, columns, first } = this;
    const net = await network.net('all');
    const { bits, g } = network.inputs('all');
    await addLogpCoefficients(list, plan, b, { out: b.out, live }, b.plan);
    const visit = async (k: number, dY: GPUBuffer | Slice): Promise<void> => {
      const to = { at: columns[k - first]!, columns: this.squares.columns };
      const { kernel, dims, groups } = scoreNormOf(layerOf(net, k), plan, to, k === 0 ? g : null);
      const reads = k === 0 ? { bits } : { X: network.H[k - 1]! };
      await list.add(kernel, { ...reads, dY, plan: b.plan, y: this.squares.buffer }, dims, groups);
    };
    await network.eachLayerBack(list, theta, b.dOut, first, visit);
  }

  async read(): Promise<Float64Array> {
    const { buffer, columns } = this.squares;
    const squares = new Float32Array(await readBack(this.gpu, whole(buffer)));
    return Float64Array.from({ length: this.plan.S * this.plan.B }, (_, row) => {
      let sum = 0;
      for (let k = row * columns; k < (row + 1) * columns; k++) sum += squares[k]!;
      return sum;
    });
  }
}
