import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, bitRowsOf } from '../../gpu/bitProducts.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import type { Buffer, GpuNetwork, NetworkBatch, RowList, Rows } from '../../gpu/network.ts';
import { isSlot, listOf, overRows, type Layer, type Over } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import listedSteps from '../../gpu/shaders/network/gruCell/listedSteps.wgsl?raw';
import startOf from '../../gpu/shaders/rollout/liveSteps/startOf.wgsl?raw';
import { tune } from '../../gpu/tune.ts';
import type { Layout } from '../layout.ts';
import {
  addStepLayer,
  addStepLayerBackward,
  passOver,
  StepBench,
  stepLayer,
  type StepLayer,
} from '../transformer/stepLayers.ts';
import {
  addGradientEnd,
  addGradientStart,
  linear,
  linearBackward,
  live,
  perNumber,
  type Pass,
} from '../transformer/tokenOps.ts';
import type { Recording, Sized } from '../types.ts';
import allRows from './allRows.wgsl?raw';
import everyStep from './everyStep.wgsl?raw';
import ofList from './listedRows.wgsl?raw';
import oneStep from './oneStep.wgsl?raw';
import { endsOf, reachOf, type GtrxlShape } from './shape.ts';
import window from './window.wgsl?raw';
import windowAttention from './windowAttention.wgsl?raw';
import windowDistance from './windowDistance.wgsl?raw';
import windowKey from './windowKey.wgsl?raw';
import windowQuery from './windowQuery.wgsl?raw';

/**
 * The kernels of the attention of a shape, over all rows or those of a list: its sizes are constants, so that arrays of a head
 * stay in registers.
 */
function windowKernels({ memory, segment, width, heads }: GtrxlShape, isListed: boolean) {
  const rows = isListed ? [startOf, listedSteps, ofList] : [allRows];
  const sizes = { MEMORY: memory, SEGMENT: segment, WIDTH: width / heads };
  const constants = Object.entries(sizes).map(([name, size]) => `const ${name} = ${size}u;`);
  const made = (id: string, wgsl: string, ...link: string[]): Kernel => ({
    ...{ id, wgsl, link: [...constants, window, ...rows, ...link] },
  });
  return {
    every: made('windowAttention.every', windowAttention, everyStep),
    one: made('windowAttention.one', windowAttention, oneStep),
    query: made('windowQuery', windowQuery),
    key: made('windowKey', windowKey),
    distance: made('windowDistance', windowDistance),
  };
}

/**
 * The transformer with a memory of gtrxlNetwork.ts as dispatches. Arrays are [S, B·T, …], of a list the first rows; without one
 * steps behind the end of an episode are computed as well, and nobody reads them. While an episode is played, keys and values
 * of each layer stay where those of all steps are while learning, so a step costs one row of every layer.
 */
export class GtrxlOnGpu implements GpuNetwork {
  readonly lists = listedRows;
  readonly memory: readonly { readonly buffer: GPUBuffer; readonly width: number }[];
  private readonly shape: GtrxlShape;
  private readonly layout: Layout;
  private readonly batch: NetworkBatch;
  private readonly bench: StepBench;
  /** the stream before each layer and after the last one */
  private readonly X: readonly GPUBuffer[];
  private readonly layers: readonly StepLayer[];
  /** gradient by queries, keys and values with what later segments read as a memory; and by scores, per distance */
  private readonly dTaught: GPUBuffer;
  private readonly dS: GPUBuffer;

  constructor({ shape, layout }: Sized<GtrxlShape>, batch: NetworkBatch) {
    const { S, B, T, make } = batch;
    const { width: D, layers, heads } = shape;
    const rows = B * T;
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    const slices = slicesOf(rows, layout.size);
    const stack = { shape, layout, hasReLU: true };
    this.bench = new StepBench(batch, stack, { rows, counts: [rows, B], slices });
    this.X = Array.from({ length: layers + 1 }, () => make(S * rows * D));
    this.layers = Array.from({ length: layers }, () => stepLayer(make, shape, S * rows));
    this.memory = this.layers.map(({ QKV }) => ({ buffer: QKV, width: 3 * D }));
    this.dTaught = make(S * rows * 3 * D);
    this.dS = make(S * rows * heads * reachOf(shape));
  }

  /** All steps or those of a list at once, or one slot of all episodes behind the slots before it. */
  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows | RowList): Promise<void> {
    const { S, B, T, obs, length } = this.batch;
    const { bench, X, shape, layout } = this;
    const { heads } = shape;
    const over = overRows(this.batch, rows);
    const listed = listOf(rows);
    const input = this.inputOver(over);
    const form = bitForwardForm(input, await tune(this.batch.gpu));
    const read = bitForward(input, bitRowsOf(this.batch, shape.features, rows), form, 'none', false);
    await list.add(read.kernel, { ...listed, bits: obs, theta, Y: X[0]! }, read.dims, read.groups);
    const pass = passOver(bench, this.batch, { list, theta, rows });
    const slot = isSlot(rows) ? rows.slot : null;
    const isOne = slot !== null;
    const own = windowKernels(shape, !!over.live);
    const asks = { rows: over.rows, B, T, t: slot ?? 0, one: isOne ? (slot < T ? 1 : 2) : 0 };
    for (const [l, m] of this.layers.entries()) {
      // what one step asks with lies apart from what is kept of all
      const QKV = isOne ? bench.dQKV : m.QKV;
      await addStepLayer(pass, { m, l, QKV }, { X: X[l]!, out: X[l + 1]! }, () =>
        list.add(
          isOne ? own.one : own.every,
          { ...listed, theta, length, O: m.O, soft: m.soft, asked: QKV, kept: m.QKV },
          { ...asks, heads, size: layout.size, relAt: bench.at[`rel.${l}`]! },
          [Math.ceil((over.rows * heads) / 64), 1, S],
        ),
      );
    }
    await linear(pass, { weight: 'out', bias: 'outbias' }, X.at(-1)!, out);
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer, rows: RowList | 'all' = 'all'): Promise<void> {
    const { obs, partials } = this.batch;
    const { bench, X, layers, shape } = this;
    const pass = passOver(bench, this.batch, { list, theta, rows });
    const { b } = pass;
    await addGradientStart(list, b);
    await linearBackward(pass, { weight: 'out', bias: 'outbias' }, { X: X.at(-1)!, dY: dOut, dX: b.dX });
    for (const [l, m] of [...layers.entries()].reverse())
      await addStepLayerBackward(pass, { m, l, X: X[l]! }, () => this.attendBack(pass, l, rows), this.dTaught);
    const input = this.inputOver(overRows(this.batch, rows));
    const bits = bitRowsOf(this.batch, shape.features, rows);
    const form = bitGradientForm(input, await tune(this.batch.gpu));
    const first = bitGradient(input, bits, form, b.slices);
    await list.add(first.kernel, { ...listOf(rows), bits: obs, dY: b.dX, partials }, first.dims, first.groups);
    await addGradientEnd(list, b, this.batch);
  }

  /** From ∂O in dA to ∂ of queries, keys and values, and of the biases of the distances. */
  private async attendBack(pass: Pass<StepBench>, l: number, rows: RowList | 'all'): Promise<void> {
    const { S, B, T } = this.batch;
    const { dTaught, dS, shape } = this;
    const { list, theta, level, b } = pass;
    const { heads, width } = shape;
    const { QKV, soft, O } = this.layers[l]!;
    const { which, maxRows: maxQueries } = live(level);
    const dots = { which, maxQueries, heads, width: width / heads };
    await perNumber(pass, kernels.attentionDots, heads, { O, dO: b.dA, soft }, dots);
    const over = overRows(this.batch, rows);
    const listed = listOf(rows);
    const own = windowKernels(shape, !!over.live);
    const dims = { rows: over.rows, B, T, heads, size: this.layout.size, relAt: b.at[`rel.${l}`]! };
    const groups = [Math.ceil((over.rows * heads) / 64), 1, S] as const;
    const buffers = { ...listed, theta, QKV, soft, dO: b.dA, dQKV: b.dQKV, dTaught };
    await list.add(own.query, { ...buffers, dS }, dims, groups);
    await list.add(own.key, buffers, dims, groups);
    const { slices, partials } = b;
    const table = [Math.ceil((heads * reachOf(shape)) / 64), slices, S] as const;
    await list.add(own.distance, { ...listed, dS, partials }, { ...dims, slices }, table);
  }

  private inputOver(over: Over): Layer {
    const [input] = endsOf(this.shape, this.bench.at);
    return { ...input, ...over, size: this.layout.size };
  }
}

export const gtrxlOnGpu: Recording<GtrxlShape, Layout> = {
  answers: (policy, batch) => new GtrxlOnGpu(policy, batch),
};
