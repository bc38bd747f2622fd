import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, bitRowsOf } from '../../gpu/bitProducts.ts';
import type { Head } from '../../gpu/head.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import type { Buffer, GpuNetwork, NetworkBatch, RowList, Rows } from '../../gpu/network.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  headOver,
  inputGradient,
  isSlot,
  listOf,
  overRows,
  weightGradient,
  type Layer,
  type Over,
  type Tiles,
} from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import {
  gruCell,
  gruCellBackward,
  gruCellListed,
  gruCellListedBackward,
  gruCellPlayed,
} from '../../gpu/shaders/gruKernels.ts';
import { gruWalkBackwardWith, gruWalkWith, WIDEST_WALK } from '../../gpu/shaders/gruWalks.ts';
import { addSliceSum } from '../../gpu/norm.ts';
import { tune } from '../../gpu/tune.ts';
import type { Layout } from '../layout.ts';
import type { Recording } from '../types.ts';
import { gruLayers, type GruShape } from './shape.ts';

/** The recurrent unit of gruNetwork.ts as dispatches; see gruCell.wgsl. Arrays are [S, B·T, …], of a list the first rows. */
export class GruOnGpu implements GpuNetwork {
  readonly lists = listedRows;
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

  async head(theta: Buffer, rows: RowList, learns: boolean): Promise<Head | null> {
    const tiles = await this.tiles();
    const [, , head] = this.layersOver(overRows(this.batch, rows));
    return headOver(
      this.batch.gpu,
      head,
      { tiles, activation: 'none' },
      { X: this.after, theta, dX: learns ? this.dH : null },
    );
  }

  /** All steps or those of a list, one after the other, or one slot of all episodes behind the slots before it. */
  async addForward(list: CommandList, theta: Buffer, out: Buffer | null, rows: Rows | RowList): Promise<void> {
    const { S, B, T, obs, length } = this.batch;
    const { hidden: H } = this.shape;
    const over = overRows(this.batch, rows);
    const listed = listOf(rows);
    const [input, memory, head] = this.layersOver(over);
    const { x, gates, before, after, now } = this;
    const tiles = await this.tiles();
    const bits = bitRowsOf(this.batch, this.shape.features, rows);
    const read = bitForward(input, bits, bitForwardForm(input, tiles), 'none', false);
    await list.add(read.kernel, { ...listed, bits: obs, theta, Y: x }, read.dims, read.groups);
    const { size, weightAt, biasAt } = memory;
    const dims = { B, T, H, size, weightAt, biasAt };
    const groups = [Math.ceil((B * H) / 64), 1, S] as const;
    const isOne = isSlot(rows);
    if (isOne) {
      const { slot: t } = rows;
      await list.add(gruCellPlayed, { theta, x, length, after, now }, { ...dims, t, isLast: Number(t === T) }, groups);
    } else {
      const buffers = { ...listed, theta, x, after, before, gates };
      const cell = over.live ? gruCellListed : gruCell;
      if (this.walks(tiles))
        await list.add(gruWalkWith(H, over.live !== undefined), buffers, dims, [Math.ceil(B / 4), 1, S]);
      else for (let t = 0; t < T; t++) await list.add(cell, buffers, { ...dims, t, isLast: 0 }, groups);
    }
    if (!out) return;
    const answer = forwardProduct(head, forwardForm(head, tiles), 'none', false);
    await list.add(answer.kernel, { ...listed, X: isOne ? now : after, theta, Y: out }, answer.dims, answer.groups);
  }

  async addBackward(
    list: CommandList,
    theta: Buffer,
    dOut: Buffer,
    rows: RowList | 'all' = 'all',
    isBelow = false,
  ): Promise<void> {
    const { S, B, T, obs, partials } = this.batch;
    const { hidden: H, unroll, features } = this.shape;
    const { size } = this.layout;
    const over = overRows(this.batch, rows);
    const listed = listOf(rows);
    const [input, memory, head] = this.layersOver(over);
    const { x: dX, dU, gates, before, after, dH } = this;
    const tiles = await this.tiles();
    const slices = slicesOf(over.rows, size);
    const gradientOf = async (layer: Layer, X: Buffer, dY: Buffer): Promise<void> => {
      const { kernel, dims, groups } = weightGradient(layer, gradientForm(layer, tiles, slices), slices);
      await list.add(kernel, { ...listed, X, dY, partials }, dims, groups);
    };
    const bits = bitRowsOf(this.batch, features, rows);
    // few devices have tiles
    const joined = tiles.tiled
      ? (await import('../../gpu/lastGradient.ts')).gradientWithLast(input, head, bits, tiles, slices)
      : null;
    if (!joined) await gradientOf(head, after, dOut);
    const back = inputGradient(head, backwardForm(head, tiles), 'none');
    if (!isBelow) await list.add(back.kernel, { ...listed, dY: dOut, theta, dX: dH }, back.dims, back.groups);
    const buffers = { ...listed, theta, gates, before, dH, dX, dU };
    const dims = { B, T, H, unroll, size, weightAt: memory.weightAt };
    const cell = over.live ? gruCellListedBackward : gruCellBackward;
    if (this.walks(tiles))
      await list.add(gruWalkBackwardWith(H, over.live !== undefined), buffers, dims, [Math.ceil(B / 4), 1, S]);
    else
      for (let t = T - 1; t >= 0; t--) await list.add(cell, buffers, { ...dims, t }, [Math.ceil((B * H) / 64), 1, S]);
    await gradientOf(memory, before, dU);
    const first = joined ?? bitGradient(input, bits, bitGradientForm(input, tiles), slices);
    const behind = joined && { X: after, dOut };
    await list.add(first.kernel, { ...listed, ...behind, bits: obs, dY: dX, partials }, first.dims, first.groups);
    await addSliceSum(list, [S, slices, size], this.batch, this.batch.sums);
  }

  /** The three products over these rows: of the input, of the memory, of the head. */
  private layersOver(over: Over): readonly [Layer, Layer, Layer] {
    const [input, memory, head] = gruLayers(this.shape, this.layout);
    const all = { ...over, size: this.layout.size };
    return [
      { ...input, ...all },
      { ...memory, ...all },
      { ...head, ...all },
    ];
  }

  /** One dispatch for all steps, where memory of a workgroup is fast. */
  private walks({ tiled }: Tiles): boolean {
    return tiled && this.shape.hidden <= WIDEST_WALK;
  }

  private tiles(): Promise<Tiles> {
    return tune(this.batch.gpu);
  }
}

export const gruOnGpu: Recording<GruShape, Layout> = { answers: (policy, batch) => new GruOnGpu(policy, batch) };
