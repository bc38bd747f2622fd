import type { Gpu } from '../../gpu/device.ts';
import { halvesOf, toHalf, type Halves } from '../../gpu/halves.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { halfLayers, isCopied, type DenseLayout, type NetworkShape } from './shape.ts';

/** What products over half floats read: a copy of the weights, and of the hidden layers that they read and make. */
export type HalfStore = {
  readonly stored: Halves;
  /** layers of the chain that read halves */
  readonly layers: readonly number[];
  /** [S, size] */
  readonly theta: GPUBuffer;
  /** [S, rows, width] of hidden layer k; null: nobody reads or makes it */
  readonly H: readonly (GPUBuffer | null)[];
};

/** Null where the policy stores floats only. Devices without half floats of their own get the same bytes in words. */
export function halfStoreOf(
  gpu: Gpu,
  { shape, layout }: { readonly shape: NetworkShape; readonly layout: DenseLayout },
  S: number,
  rows: number,
  make: (floats: number) => GPUBuffer,
): HalfStore | null {
  const layers = halfLayers(shape);
  if (layers.length === 0) return null;
  return {
    stored: halvesOf(gpu) ?? 'packed',
    layers,
    theta: make((S * layout.size) / 2),
    H: shape.hidden.map((width, k) => (isCopied(shape, k) ? make((S * rows * width) / 2) : null)),
  };
}

/** Copies the first `count` numbers of x. */
export async function addHalves(
  list: CommandList,
  { stored }: HalfStore,
  x: GPUBuffer | Slice,
  count: number,
  Yh: GPUBuffer,
): Promise<void> {
  const { kernel, dims, groups } = toHalf(count, stored);
  await list.add(kernel, { x, Yh }, dims, groups);
}
