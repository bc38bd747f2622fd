import { slicesOf } from '../../core/slices.ts';
import type { Kernel } from '../../gpu/kernel.ts';
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
import { kernels } from '../../gpu/shaders/kernels.ts';
import { tune } from '../../gpu/tune.ts';
import type { Linear } from '../dense/linear.ts';
import type { Layout } from '../layout.ts';
import type { Recording, Sized } from '../types.ts';
import boardBits from './boardBits.wgsl?raw';
import backward from './convBackward.wgsl?raw';
import forward from './convForward.wgsl?raw';
import gradient from './convGradient.wgsl?raw';
import { cellsOf, convLayers, flatOf, TAPS, type ConvShape } from './shape.ts';

const BITS: Kernel = { id: 'boardBits', wgsl: boardBits };
const FORWARD: Kernel = { id: 'convForward', wgsl: forward };
const BACKWARD: Kernel = { id: 'convBackward', wgsl: backward };
const GRADIENT: Kernel = { id: 'convGradient', wgsl: gradient };

/** Numbers of all cells, a row after the other: `row` from one row to the next, `depth` of a cell. */
type BoardMap = { readonly buffer: GPUBuffer; readonly row: number; readonly depth: number };

/** The convolution network of convNetwork.ts as dispatches. Arrays are [S, B·T, …]. */
export class ConvOnGpu implements GpuNetwork {
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

  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows): Promise<void> {
    const { S, B, T, obs, obsWords } = this.batch;
    const { features, board, channels: C, skip } = this.shape;
    const { flat, sum, maps } = this;
    const isAll = rows === 'all';
    const n = isAll ? B * T : B;
    const cells = cellsOf(this.shape);
    const where = { B, inner: isAll ? T : 1, outerStride: (T + 1) * obsWords, innerStride: isAll ? obsWords : 0 };
    const sizes = { cells, planes: board.planes, inputs: flatOf(this.shape), restAt: cells * C, features };
    const all = { rows: n, maxRows: B * T };
    const bits = { ...where, ...sizes, ...all, base: isAll ? 0 : rows.slot * obsWords };
    await list.add(BITS, { bits: obs, X: maps[0]!.buffer, flat }, bits, this.groupsOf(n * features));
    for (const [k, { weightAt, biasAt }] of this.layers.convolutions.entries()) {
      const [X, Y] = [maps[k]!, maps[k + 1]!];
      const dims = {
        ...{ ...all, width: board.width, height: board.height, depth: X.depth, C, xRow: X.row, yRow: Y.row },
        ...{ size: this.layout.size, weightAt, biasAt, skip: Number(skip && k > 0) },
      };
      const groups = this.groupsOf(n * cells * Math.ceil(C / 4));
      await list.add(FORWARD, { theta, X: X.buffer, Y: Y.buffer }, dims, groups);
    }
    const tiles = await this.tiles();
    const answer = async (layer: Layer, act: 'relu' | 'none', X: Buffer, Y: Buffer): Promise<void> => {
      const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, tiles), act, false);
      await list.add(kernel, { X, theta, Y }, dims, groups);
    };
    const { dense, head } = this.layers;
    await answer(this.over(dense, n, S), 'relu', flat, sum);
    await answer(this.over(head, n, S), 'none', sum, out);
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer): Promise<void> {
    const { S, B, T, partials, gradient } = this.batch;
    const { flat, dFlat, sum, dSum, back } = this;
    const { size } = this.layout;
    const n = B * T;
    const tiles = await this.tiles();
    const slices = slicesOf(n, size);
    // each product ends with the slope of the ReLU before it
    const addProduct = async (linear: Linear, X: Buffer, dY: Buffer, dX: Buffer): Promise<void> => {
      const layer = this.over(linear, n, S);
      const sums = weightGradient(layer, gradientForm(layer, tiles, slices), slices);
      await list.add(sums.kernel, { X, dY, partials }, sums.dims, sums.groups);
      const before = inputGradient(layer, backwardForm(layer, tiles), 'relu');
      await list.add(before.kernel, { dY, theta, dX, A: X }, before.dims, before.groups);
    };
    await addProduct(this.layers.head, sum, dOut, dSum);
    await addProduct(this.layers.dense, flat, dSum, dFlat);
    for (let k = back.length - 1; k >= 0; k--) {
      await this.addLayerGradient(list, k, slices);
      if (k > 0) await this.addLayerBack(list, theta, k);
    }
    await list.add(kernels.sliceSum, { partials, gradient }, { size, slices }, [Math.ceil(size / 256), 1, S]);
  }

  private async addLayerGradient(list: CommandList, k: number, slices: number): Promise<void> {
    const { S, B, T, partials } = this.batch;
    const { board, channels: C } = this.shape;
    const { weightAt, biasAt } = this.layers.convolutions[k]!;
    const [X, dY] = [this.maps[k]!, this.back[k]!];
    const dims = {
      ...{ rows: B * T, maxRows: B * T, width: board.width, height: board.height, depth: X.depth, C },
      ...{ xRow: X.row, yRow: dY.row, slices, size: this.layout.size, weightAt, biasAt },
    };
    const invocations = (TAPS + 1) * Math.ceil(X.depth / 4) * Math.ceil(C / 4);
    const buffers = { X: X.buffer, dY: dY.buffer, partials };
    await list.add(GRADIENT, buffers, dims, [Math.ceil(invocations / 64), slices, S]);
  }

  /** ∂L by the sums of layer k − 1 from those of layer k. */
  private async addLayerBack(list: CommandList, theta: Buffer, k: number): Promise<void> {
    const { B, T } = this.batch;
    const { board, channels: C, skip } = this.shape;
    const [X, dX, dY] = [this.maps[k]!, this.back[k - 1]!, this.back[k]!];
    const dims = {
      ...{ rows: B * T, maxRows: B * T, width: board.width, height: board.height, C, yRow: dY.row },
      ...{ size: this.layout.size, weightAt: this.layers.convolutions[k]!.weightAt, skip: Number(skip) },
    };
    const groups = this.groupsOf(B * T * cellsOf(this.shape) * Math.ceil(C / 4));
    await list.add(BACKWARD, { theta, dY: dY.buffer, X: X.buffer, dX: dX.buffer }, dims, groups);
  }

  private over(linear: Linear, rows: number, S: number): Layer {
    return { ...linear, S, rows, maxRows: this.batch.B * this.batch.T, size: this.layout.size };
  }

  private groupsOf(invocations: number): readonly [number, number, number] {
    return [Math.ceil(invocations / 64), 1, this.batch.S];
  }

  private tiles(): Promise<Tiles> {
    return tune(this.batch.gpu);
  }
}

export const convOnGpu: Recording<ConvShape> = { answers: (policy, batch) => new ConvOnGpu(policy, batch) };
