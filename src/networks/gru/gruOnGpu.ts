import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, bitRowsOf } from '../../gpu/bitProducts.ts';
import type { Buffer, GpuNetwork, NetworkBatch, Rows } from '../../gpu/network.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  weightGradient,
  type Layer,
  type Tiles,
} from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { gruCell, gruCellBackward } from '../../gpu/shaders/gruKernels.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import type { Layout } from '../layout.ts';
import type { Recording } from '../types.ts';
import { gruLayers, type GruShape } from './shape.ts';

/** The recurrent unit of gruNetwork.ts as dispatches; see gruCell.wgsl. Arrays are [S, B·T, …]. */
export class GruOnGpu implements GpuNetwork {
  private readonly shape: GruShape;
  private readonly layout: Layout;
  private readonly batch: NetworkBatch;
  /** [3H] products of the input, on the way back ∂x; and ∂u */
  private readonly x: GPUBuffer;
  private readonly dU: GPUBuffer;
  private readonly gates: GPUBuffer;
  /** what is remembered before and after every step, and after the step of a single slot */
  private readonly before: GPUBuffer;
  private readonly after: GPUBuffer;
  private readonly now: GPUBuffer;
  private readonly dH: GPUBuffer;

  readonly memory: readonly [{ readonly buffer: GPUBuffer; readonly width: number }];

  constructor({ shape, layout }: { readonly shape: GruShape; readonly layout: Layout }, batch: NetworkBatch) {
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    const H = shape.hidden * batch.S * batch.B * batch.T;
    const { make } = batch;
    this.x = make(3 * H);
    this.dU = make(3 * H);
    this.gates = make(4 * H);
    this.before = make(H);
    this.after = make(H);
    this.memory = [{ buffer: this.after, width: shape.hidden }];
    this.now = make(H);
    this.dH = make(H);
  }

  /** All steps one after the other, or one slot of all episodes behind the slots before it. */
  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows): Promise<void> {
    const { S, B, T, obs, length } = this.batch;
    const { hidden: H } = this.shape;
    const isAll = rows === 'all';
    const [input, memory, head] = this.layersOver(isAll ? B * T : B);
    const { x, gates, before, after, now } = this;
    const tiles = await this.tiles();
    const bits = bitRowsOf(this.batch, this.shape.features, rows);
    const read = bitForward(input, bits, bitForwardForm(input, tiles), 'none', false);
    await list.add(read.kernel, { bits: obs, theta, Y: x }, read.dims, read.groups);
    const { size, weightAt, biasAt, maxRows } = memory;
    const step = (t: number): Promise<void> => {
      const dims = { B, T, H, t, stride: isAll ? T : 1, at: isAll ? t : 0, maxRows, size, weightAt, biasAt };
      const how = { isLast: Number(t === T), keeps: Number(isAll) };
      const buffers = { theta, x, length, after, before, gates, now };
      return list.add(gruCell, buffers, { ...dims, ...how }, [Math.ceil((B * H) / 64), 1, S]);
    };
    if (isAll) for (let t = 0; t < T; t++) await step(t);
    else await step(rows.slot);
    const answer = forwardProduct(head, forwardForm(head, tiles), 'none', false);
    await list.add(answer.kernel, { X: isAll ? after : now, theta, Y: out }, answer.dims, answer.groups);
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer): Promise<void> {
    const { S, B, T, obs, partials, gradient } = this.batch;
    const { hidden: H, unroll } = this.shape;
    const { size } = this.layout;
    const [input, memory, head] = this.layersOver(B * T);
    const { x: dX, dU, gates, before, after, dH } = this;
    const tiles = await this.tiles();
    const slices = slicesOf(B * T, size);
    const gradientOf = async (layer: Layer, X: Buffer, dY: Buffer): Promise<void> => {
      const { kernel, dims, groups } = weightGradient(layer, gradientForm(layer, tiles, slices), slices);
      await list.add(kernel, { X, dY, partials }, dims, groups);
    };
    await gradientOf(head, after, dOut);
    const back = inputGradient(head, backwardForm(head, tiles), 'none');
    await list.add(back.kernel, { dY: dOut, theta, dX: dH }, back.dims, back.groups);
    for (let t = T - 1; t >= 0; t--) {
      const buffers = { theta, gates, before, dH, dX, dU };
      const dims = { B, T, H, t, unroll, size, weightAt: memory.weightAt };
      await list.add(gruCellBackward, buffers, dims, [Math.ceil((B * H) / 64), 1, S]);
    }
    await gradientOf(memory, before, dU);
    const first = bitGradient(
      input,
      bitRowsOf(this.batch, this.shape.features, 'all'),
      bitGradientForm(input, tiles),
      slices,
    );
    await list.add(first.kernel, { bits: obs, dY: dX, partials }, first.dims, first.groups);
    await list.add(kernels.sliceSum, { partials, gradient }, { size, slices }, [Math.ceil(size / 256), 1, S]);
  }

  /** The three products over `rows` rows: of the input, of the memory, of the head. */
  private layersOver(rows: number): readonly [Layer, Layer, Layer] {
    const { S, B, T } = this.batch;
    const [input, memory, head] = gruLayers(this.shape, this.layout);
    const over = { S, rows, maxRows: B * T, size: this.layout.size };
    return [
      { ...input, ...over },
      { ...memory, ...over },
      { ...head, ...over },
    ];
  }

  private tiles(): Promise<Tiles> {
    return tune(this.batch.gpu);
  }
}

export const gruOnGpu: Recording<GruShape, Layout> = { answers: (policy, batch) => new GruOnGpu(policy, batch) };
