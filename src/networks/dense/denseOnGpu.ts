import { bitRowsOf, type BitRows } from '../../gpu/bitProducts.ts';
import type { Head } from '../../gpu/head.ts';
import type { Buffer, GpuNetwork, NetworkBatch, RowList, Rows } from '../../gpu/network.ts';
import { listedRows } from '../../gpu/listedRows.ts';
import { headOver, isSlot, keepsZ, listOf, overRows } from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { tune } from '../../gpu/tune.ts';
import { addGradients, addLayers, eachLayerBack, layerOf, layersOf, type Chain, type DenseNet } from './denseList.ts';
import { halfStoreOf, type HalfStore } from './halfStore.ts';
import type { Recording } from '../types.ts';
import type { DenseLayout, NetworkShape } from './shape.ts';

/** A chain of dense layers over observation bits; hidden layers are [S, B·T, width]. */
export class DenseOnGpu implements GpuNetwork {
  readonly lists = listedRows;
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

  async addForward(list: CommandList, theta: Buffer, out: Buffer | null, rows: Rows | RowList): Promise<void> {
    await addLayers(list, await this.chain(theta, rows), out, !isSlot(rows));
  }

  async addBackward(
    list: CommandList,
    theta: Buffer,
    dOut: Buffer,
    rows: RowList | 'all' = 'all',
    isBelow = false,
  ): Promise<void> {
    await addGradients(list, await this.chain(theta, rows), dOut, this.batch, isBelow);
  }

  async head(theta: Buffer, rows: RowList, learns: boolean): Promise<Head | null> {
    const net = await this.net(rows);
    const [X, dX] = [this.H.at(-1), this.dH.at(-1)];
    if (!X || this.halves) return null;
    const last = layersOf(net) - 1;
    const first = last === 1 ? { layer: layerOf(net, 0), ...this.inputs(rows) } : null;
    return headOver(this.batch.gpu, layerOf(net, last), net, { X, theta, dX: learns ? dX! : null }, first);
  }

  /** The way back alone, to layer `first`: `visit` gets each layer with ∂L by its outputs. */
  async eachLayerBack(
    list: CommandList,
    theta: Buffer,
    dOut: Buffer,
    first: number,
    visit: (k: number, dY: Buffer) => Promise<void>,
  ): Promise<void> {
    await eachLayerBack(list, await this.chain(theta, 'all'), dOut, visit, { first });
  }

  private async chain(theta: Buffer, rows: Rows | RowList): Promise<Chain> {
    const net = await this.net(rows);
    const halves = !isSlot(rows) && this.halves ? { halves: this.halves } : {};
    return { net: { ...net, ...halves }, inputs: this.inputs(rows), theta, hidden: this };
  }

  /** Its layers over these rows. */
  async net(rows: Rows | RowList): Promise<DenseNet> {
    const { layout, shape, batch } = this;
    const tiles = await tune(batch.gpu);
    return { ...overRows(batch, rows), listed: listOf(rows), layout, activation: shape.activation, tiles };
  }

  /** What its first layer reads. */
  inputs(rows: Rows | RowList): { readonly bits: Buffer; readonly g: BitRows } {
    return { bits: this.batch.obs, g: bitRowsOf(this.batch, this.shape.features, rows) };
  }
}

export const chainOnGpu: Recording<NetworkShape, DenseLayout> = {
  answers: (policy, batch) => new DenseOnGpu(policy, batch),
};
