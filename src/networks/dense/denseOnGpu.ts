import type { BitRows } from '../../gpu/bitProducts.ts';
import type { Buffer, GpuNetwork, NetworkBatch, Rows } from '../../gpu/network.ts';
import { keepsZ } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { tune } from '../../gpu/tune.ts';
import { addGradients, addLayers, eachLayerBack, type Chain, type DenseNet } from './denseList.ts';
import { halfStoreOf, type HalfStore } from './halfStore.ts';
import type { Recording } from '../types.ts';
import type { DenseLayout, NetworkShape } from './shape.ts';

/** Activation functions as kernels know them. */
export const KIND = { tanh: 0, relu: 1, gelu: 2 } as const;

/** A chain of dense layers over observation bits; hidden layers are [S, B·T, width]. */
export class DenseOnGpu implements GpuNetwork {
  readonly H: readonly GPUBuffer[];
  readonly Z: readonly GPUBuffer[];
  readonly dH: readonly GPUBuffer[];
  /** null: all layers read floats */
  private readonly halves: HalfStore | null;
  private readonly shape: NetworkShape;
  private readonly layout: DenseLayout;
  private readonly batch: NetworkBatch;

  constructor({ shape, layout }: { readonly shape: NetworkShape; readonly layout: DenseLayout }, batch: NetworkBatch) {
    this.shape = shape;
    this.layout = layout;
    this.batch = batch;
    const { gpu, S, B, T, make } = batch;
    const layers = (): GPUBuffer[] => shape.hidden.map((width) => make(S * B * T * width));
    this.Z = keepsZ(shape.activation) ? layers() : [];
    this.H = layers();
    this.dH = layers();
    this.halves = halfStoreOf(gpu, { shape, layout }, S, B * T, make);
  }

  async addForward(list: CommandList, theta: Buffer, out: Buffer, rows: Rows): Promise<void> {
    await addLayers(list, await this.chain(theta, rows), out, rows === 'all');
  }

  async addBackward(list: CommandList, theta: Buffer, dOut: Buffer): Promise<void> {
    await addGradients(list, await this.chain(theta, 'all'), dOut, this.batch);
  }

  /** The way back alone, to layer `first`: `visit` gets each layer with ∂L by its outputs. */
  async eachLayerBack(
    list: CommandList,
    theta: Buffer,
    dOut: Buffer,
    first: number,
    visit: (k: number, dY: Buffer) => Promise<void>,
  ): Promise<void> {
    await eachLayerBack(list, await this.chain(theta, 'all'), dOut, visit, first);
  }

  private async chain(theta: Buffer, rows: Rows): Promise<Chain> {
    const net = await this.net(rows);
    const halves = rows === 'all' && this.halves ? { halves: this.halves } : {};
    return { net: { ...net, ...halves }, inputs: this.inputs(rows), theta, hidden: this };
  }

  /** Its layers over these rows. */
  async net(rows: Rows): Promise<DenseNet> {
    const { gpu, S, B, T } = this.batch;
    const { tiled } = await tune(gpu);
    const { layout } = this;
    return { S, rows: rows === 'all' ? B * T : B, maxRows: B * T, layout, activation: this.shape.activation, tiled };
  }

  /** What its first layer reads. */
  inputs(rows: Rows): { readonly bits: Buffer; readonly g: BitRows } {
    const { B, T, obsWords, obs } = this.batch;
    const isAll = rows === 'all';
    const g = {
      words: Math.ceil(this.shape.features / 32),
      ...{ B, inner: isAll ? T : 1, outerStride: (T + 1) * obsWords, innerStride: isAll ? obsWords : 0 },
      base: isAll ? 0 : rows.slot * obsWords,
    };
    return { bits: obs, g };
  }
}

export const chainOnGpu: Recording<NetworkShape, DenseLayout> = {
  answers: (policy, batch) => new DenseOnGpu(policy, batch),
};
