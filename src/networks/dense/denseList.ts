import { slicesOf } from '../../core/slices.ts';
import { bitForward, bitForwardForm, bitGradient, bitGradientForm, type BitRows } from '../../gpu/bitProducts.ts';
import { halfForward } from '../../gpu/halves.ts';
import type { Buffer } from '../../gpu/network.ts';
import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  keepsZ,
  weightGradient,
  type Layer,
  type listOf,
  type Over,
  type Tiles,
} from '../../gpu/products.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { addSliceSum, sumsBound, type NormSums } from '../../gpu/norm.ts';
import type { Activation, DenseLayout } from './shape.ts';
import { addHalves, type HalfStore } from './halfStore.ts';

/** A chain of dense layers of all replicas over some rows. */
export type DenseNet = Over & {
  readonly layout: DenseLayout;
  readonly activation: Activation;
  /** see tune.ts */
  readonly tiles: Tiles;
  /** what products over the rows of a list are bound to besides */
  readonly listed?: ReturnType<typeof listOf>;
  /** where some layers read half floats */
  readonly halves?: HalfStore;
};

/** What the first layer reads: numbers [S, maxRows, in], or observation bits. */
export type Inputs = { readonly X: Buffer } | { readonly bits: Buffer; readonly g: BitRows };

/** Hidden layers, [S, maxRows, width] each. Z is there for gelu only; dH is scratch of the way back. */
export type Hidden = Readonly<Record<'H' | 'Z' | 'dH', readonly Buffer[]>>;

/** A chain with these parameters, what it reads and where its hidden layers stay. */
export type Chain = {
  readonly net: DenseNet;
  readonly inputs: Inputs;
  readonly theta: Buffer;
  readonly hidden: Hidden;
};

export const layersOf = ({ layout }: DenseNet): number => layout.widths.length - 1;

/** Layer k of the chain as the products want it. */
export function layerOf({ S, rows, maxRows, live, layout }: DenseNet, k: number): Layer {
  const tensor = (kind: 'weight' | 'bias'): number =>
    layout.tensors.find((t) => t.layer === k && t.kind === kind)?.offset ?? -1;
  const [inputs, out] = [layout.widths[k]!, layout.widths[k + 1]!];
  const of = { S, rows, maxRows, inputs, out, size: layout.size };
  return { ...of, weightAt: tensor('weight'), biasAt: tensor('bias'), ...(live && { live }) };
}

/**
 * Forward pass into `out`, null: without the last layer; the hidden layers stay, and with `keeps` all that the backward
 * pass needs of them.
 */
export async function addLayers(
  list: CommandList,
  { net, inputs, theta, hidden: { H, Z } }: Chain,
  out: Buffer | null,
  keeps: boolean,
): Promise<void> {
  const last = layersOf(net) - 1;
  const { halves } = net;
  if (halves) await addHalves(list, halves, theta, net.S * net.layout.size, halves.theta);
  for (let k = 0; k <= (out ? last : last - 1); k++) {
    const layer = layerOf(net, k);
    const act = k === last ? 'none' : net.activation;
    const withZ = keeps && keepsZ(act);
    const ends = { ...net.listed, theta, Y: k === last ? out! : H[k]!, ...(withZ ? { Z: Z[k]! } : {}) };
    if (k === 0 && 'bits' in inputs) {
      const { kernel, dims, groups } = bitForward(layer, inputs.g, bitForwardForm(layer, net.tiles), act, withZ);
      await list.add(kernel, { bits: inputs.bits, ...ends }, dims, groups);
    } else if (halves?.layers.includes(k)) {
      const [X, Yh] = [halves.H[k - 1]!, halves.H[k]!];
      if (!halves.layers.includes(k - 1))
        await addHalves(list, halves, H[k - 1]!, net.S * net.maxRows * layer.inputs, X);
      const { kernel, dims, groups } = halfForward(layer, act, withZ, halves.stored);
      await list.add(kernel, { ...ends, X, theta: halves.theta, Yh }, dims, groups);
    } else {
      const X = k === 0 && 'X' in inputs ? inputs.X : H[k - 1]!;
      const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, net.tiles), act, withZ);
      await list.add(kernel, { X, ...ends }, dims, groups);
    }
  }
}

/** Slices of a gradient, the gradient, and what is added up of it: partials [S, slicesOf(rows, size), size], gradient [S, size]. */
export type Sums = { readonly partials: Buffer; readonly gradient: Buffer; readonly sums?: NormSums | null };

/** From the last layer to `first`; `isBelow`: ∂L by what the last one reads is there. */
type Stretch = { readonly first?: number; readonly isBelow?: boolean };

/** The way back through the layers, last first: `visit` gets each with ∂L by its outputs. */
export async function eachLayerBack(
  list: CommandList,
  { net, theta, hidden: { H, Z, dH } }: Chain,
  dOut: Buffer,
  visit: (k: number, dY: Buffer) => Promise<void>,
  { first = 0, isBelow = false }: Stretch = {},
): Promise<void> {
  const last = layersOf(net) - 1;
  for (let k = last; k >= first; k--) {
    const layer = layerOf(net, k);
    const dY = k === last ? dOut : dH[k]!;
    await visit(k, dY);
    if (k === first) break;
    if (isBelow && k === last) continue;
    const A = keepsZ(net.activation) ? Z[k - 1]! : H[k - 1]!;
    const { kernel, dims, groups } = inputGradient(layer, backwardForm(layer, net.tiles), net.activation);
    await list.add(kernel, { ...net.listed, dY, theta, dX: dH[k - 1]!, A }, dims, groups);
  }
}

/** ∂L/∂θ from dOut and what the last forward pass with `keeps` left; `isBelow`: see Stretch. */
export async function addGradients(
  list: CommandList,
  chain: Chain,
  dOut: Buffer,
  { partials, gradient, sums }: Sums,
  isBelow = false,
): Promise<void> {
  const { net, inputs, hidden } = chain;
  const { size } = net.layout;
  const slices = slicesOf(net.rows, size);
  const last = layersOf(net) - 1;
  const ends = [layerOf(net, 0), layerOf(net, last)] as const;
  // few devices have either
  const whole =
    'bits' in inputs && last === 1 && sums?.atOnce
      ? (await import('../../gpu/wholeGradient.ts')).gradientOfWhole(...ends, inputs.g)
      : null;
  const joined =
    whole ??
    ('bits' in inputs && last > 0 && net.tiles.tiled
      ? (await import('../../gpu/lastGradient.ts')).gradientWithLast(...ends, inputs.g, net.tiles, slices)
      : null);
  const to = whole ? { gradient, ...sumsBound(sums!) } : { partials };
  const visit = async (k: number, dY: Buffer): Promise<void> => {
    const layer = layerOf(net, k);
    const X = k === 0 && 'X' in inputs ? inputs.X : hidden.H[k - 1]!;
    if (k === last && joined) return;
    if (k === 0 && 'bits' in inputs) {
      const { kernel, dims, groups } =
        joined ?? bitGradient(layer, inputs.g, bitGradientForm(layer, net.tiles), slices);
      const behind = joined && { X: hidden.H[last - 1]!, dOut };
      await list.add(kernel, { ...net.listed, ...behind, ...to, bits: inputs.bits, dY }, dims, groups);
    } else {
      const { kernel, dims, groups } = weightGradient(layer, gradientForm(layer, net.tiles, slices), slices);
      await list.add(kernel, { ...net.listed, X, dY, partials }, dims, groups);
    }
  };
  await eachLayerBack(list, chain, dOut, visit, { isBelow });
  if (!whole) await addSliceSum(list, [net.S, slices, size], { partials, gradient }, sums);
}
