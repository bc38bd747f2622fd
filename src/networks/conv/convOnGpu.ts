import { slicesOf } from '../../core/slices.ts';
import { bitRowsOf, placesOf } from '../../gpu/bitProducts.ts';
import type { Kernel } from '../../gpu/kernel.ts';
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
  listOf,
  overRows,
  rowDims,
  rowsOf,
  tilesOf,
  weightGradient,
  type Layer,
  type Over,
  type Tiles,
} from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { addSliceSum } from '../../gpu/norm.ts';
import { tune } from '../../gpu/tune.ts';
import type { Linear } from '../dense/linear.ts';
import type { Layout } from '../layout.ts';
import type { Recording, Sized } from '../types.ts';
import boardBits from './boardBits.wgsl?raw';
import backward from './convBackward.wgsl?raw';
import forward from './convForward.wgsl?raw';
import gradient from './convGradient.wgsl?raw';
import gradientTiled from './convGradientTiled.wgsl?raw';
import { cellsOf, convLayers, flatOf, TAPS, type ConvShape } from './shape.ts';

/** A kernel over the rows of a pass. */
const kernelOver = (over: Over, id: string, wgsl: string): Kernel => ({ id, wgsl, link: [rowsOf(over)] });

/** Numbers of all cells, a row after the other: `row` from one row to the next, `depth` of a cell. */
type BoardMap = { readonly buffer: GPUBuffer; readonly row: number; readonly depth: number };

/** A pass over these rows, bound to where they are listed. */
type Pass = { readonly list: CommandList; readonly over: Over; readonly rows: ReturnType<typeof listOf> };

/** The convolution network of convNetwork.ts as dispatches. Arrays are [S, B·T, …], of a list the first rows. */
export class ConvOnGpu implements GpuNetwork {
  readonly lists = listedRows;
  private readonly shape: ConvShape;
  private readonly layout: Layout;
  private readonly batch: NetworkBatch;
  private readonly layers: ReturnType<typeof convLayers>;
  /** what every layer reads and the last one answers, which is the beginning of `flat`; and gradients of all but the first */
  private readonly maps: readonly BoardMap[];
  private readonly back: readonly BoardMap[];
  private readonly flat: GPUBuffer;
  private readonly dFlat: GPUBuffer;
  private readonly sum: GPUBuffer;
  private readonly dSum: GPUBuffer;

  constructor({ shape, layout }: Sized<ConvShape>, batch: NetworkBatch) {
    const rows = batch.S * batch.B * batch.T;
    const cells = cellsOf(shape);
    const { layers, channels, hidden, board } = shape;
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    this.layers = convLayers(shape, layout);
    const make = (width: number): GPUBuffer => batch.make(rows * width);
    const map = (depth: number): BoardMap => ({ buffer: make(cells * depth), row: cells * depth, depth });
    this.flat = make(flatOf(shape));
    this.dFlat = make(flatOf(shape));
    const last = (buffer: GPUBuffer): BoardMap => ({ buffer, row: flatOf(shape), depth: channels });
    const between = (): BoardMap[] => Array.from({ length: layers - 1 }, () => map(channels));
    this.maps = [map(board.planes), ...between(), last(this.flat)];
    this.back = [...between(), last(this.dFlat)];
    this.sum = make(hidden);
    this.dSum = make(hidden);
  }

  async head(theta: Buffer, rows: RowList, learns: boolean): Promise<Head | null> {
    const tiles = await this.tiles();
    const head = this.over(this.layers.head, overRows(this.batch, rows));
    return headOver(
      this.batch.gpu,
      head,
      { tiles, activation: 'relu' },
      { X: this.sum, theta, dX: learns ? this.dSum : null },
    );
  }

  async addForward(list: CommandList, theta: Buffer, out: Buffer | null, rows: Rows | RowList): Promise<void> {
    const pass = this.passOver(list, rows);
    const { over, rows: listed } = pass;
    const { flat, sum, maps } = this;
    const { skip } = this.shape;
    await this.addBits(pass, rows);
    for (const [k, { weightAt, biasAt }] of this.layers.convolutions.entries()) {
      const [X, Y] = [maps[k]!, maps[k + 1]!];
      const layer = { depth: X.depth, xRow: X.row, yRow: Y.row, weightAt, biasAt, skip: Number(skip && k > 0) };
      const buffers = { ...listed, theta, X: X.buffer, Y: Y.buffer };
      const dims = { ...this.sizesOver(over), ...layer };
      await list.add(kernelOver(over, 'convForward', forward), buffers, dims, this.groupsOfMap(over));
    }
    const tiles = await this.tiles();
    const answer = async (layer: Layer, act: 'relu' | 'none', X: Buffer, Y: Buffer): Promise<void> => {
      const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, tiles), act, false);
      await list.add(kernel, { ...listed, X, theta, Y }, dims, groups);
    };
    const { dense, head } = this.layers;
    await answer(this.over(dense, over), 'relu', flat, sum);
    if (out) await answer(this.over(head, over), 'none', sum, out);
  }

  async addBackward(
    list: CommandList,
    theta: Buffer,
    dOut: Buffer,
    rows: RowList | 'all' = 'all',
    isBelow = false,
  ): Promise<void> {
    const { S, partials } = this.batch;
    const { flat, dFlat, sum, dSum, back } = this;
    const { size } = this.layout;
    const pass = this.passOver(list, rows);
    const { over, rows: listed } = pass;
    const tiles = await this.tiles();
    const slices = slicesOf(over.rows, size);
    // each product ends with the slope of the ReLU before it
    const addProduct = async (linear: Linear, X: Buffer, dY: Buffer, dX: Buffer, isThere = false): Promise<void> => {
      const layer = this.over(linear, over);
      const sums = weightGradient(layer, gradientForm(layer, tiles, slices), slices);
      await list.add(sums.kernel, { ...listed, X, dY, partials }, sums.dims, sums.groups);
      if (isThere) return;
      const before = inputGradient(layer, backwardForm(layer, tiles), 'relu');
      await list.add(before.kernel, { ...listed, dY, theta, dX, A: X }, before.dims, before.groups);
    };
    await addProduct(this.layers.head, sum, dOut, dSum, isBelow);
    await addProduct(this.layers.dense, flat, dSum, dFlat);
    for (let k = back.length - 1; k >= 0; k--) {
      await this.addLayerGradient(pass, k, slices, tiles);
      if (k > 0) await this.addLayerBack(pass, theta, k);
    }
    await addSliceSum(list, [S, slices, size], this.batch, this.batch.sums);
  }

  /** Bits of the observations as numbers. */
  private async addBits({ list, over, rows: listed }: Pass, rows: Rows | RowList): Promise<void> {
    const { features, board, channels } = this.shape;
    const { words: _, ...where } = bitRowsOf(this.batch, features, rows);
    const cells = cellsOf(this.shape);
    const sizes = { cells, planes: board.planes, inputs: flatOf(this.shape), restAt: cells * channels, features };
    const dims = { ...where, ...sizes, ...rowDims(over), maxRows: over.maxRows };
    const kernel: Kernel = { id: 'boardBits', wgsl: boardBits, link: placesOf(over) };
    const buffers = { ...listed, bits: this.batch.obs, X: this.maps[0]!.buffer, flat: this.flat };
    await list.add(kernel, buffers, dims, this.groupsOf(over.rows * features));
  }

  private async addLayerGradient(pass: Pass, k: number, slices: number, { tiled }: Tiles): Promise<void> {
    const { list, over, rows } = pass;
    const { weightAt, biasAt } = this.layers.convolutions[k]!;
    const [X, dY] = [this.maps[k]!, this.back[k]!];
    const layer = { depth: X.depth, xRow: X.row, yRow: dY.row, slices, weightAt, biasAt };
    const dims = { ...this.sizesOver(over), ...layer };
    const buffers = { ...rows, X: X.buffer, dY: dY.buffer, partials: this.batch.partials };
    if (tiled) {
      const { wgsl, link, count } = tilesOf('fine', TAPS * X.depth + 1, dims.C);
      const kernel = { id: 'convGradient.fine', wgsl, link: [rowsOf(over), gradientTiled, ...link] };
      return list.add(kernel, buffers, dims, [count, slices, over.S]);
    }
    const invocations = (TAPS + 1) * Math.ceil(X.depth / 4) * Math.ceil(dims.C / 4);
    const groups = [Math.ceil(invocations / 64), slices, over.S] as const;
    await list.add(kernelOver(over, 'convGradient', gradient), buffers, dims, groups);
  }

  /** ∂L by the sums of layer k − 1 from those of layer k. */
  private async addLayerBack({ list, over, rows }: Pass, theta: Buffer, k: number): Promise<void> {
    const [X, dX, dY] = [this.maps[k]!, this.back[k - 1]!, this.back[k]!];
    const { weightAt } = this.layers.convolutions[k]!;
    const dims = { ...this.sizesOver(over), yRow: dY.row, weightAt, skip: Number(this.shape.skip) };
    const buffers = { ...rows, theta, dY: dY.buffer, X: X.buffer, dX: dX.buffer };
    await list.add(kernelOver(over, 'convBackward', backward), buffers, dims, this.groupsOfMap(over));
  }

  private passOver(list: CommandList, rows: Rows | RowList): Pass {
    return { list, over: overRows(this.batch, rows), rows: listOf(rows) };
  }

  /** What all kernels of convolutions are told. */
  private sizesOver(over: Over) {
    const { board, channels: C } = this.shape;
    const { width, height } = board;
    return { ...rowDims(over), maxRows: over.maxRows, width, height, C, size: this.layout.size };
  }

  private over(linear: Linear, over: Over): Layer {
    return { ...linear, ...over, size: this.layout.size };
  }

  private groupsOf(invocations: number): readonly [number, number, number] {
    return [Math.ceil(invocations / 64), 1, this.batch.S];
  }

  /** One invocation for four channels of a cell. */
  private groupsOfMap({ rows }: Over): readonly [number, number, number] {
    return this.groupsOf(rows * cellsOf(this.shape) * Math.ceil(this.shape.channels / 4));
  }

  private tiles(): Promise<Tiles> {
    return tune(this.batch.gpu);
  }
}

export const convOnGpu: Recording<ConvShape> = { answers: (policy, batch) => new ConvOnGpu(policy, batch) };
