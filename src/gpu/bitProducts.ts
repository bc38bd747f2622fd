import type { NetworkBatch, RowList, Rows } from './network.ts';
import type { Act, Call, Layer, Tiles } from './products.ts';
import { blocksOf, endOf, isSlot, rowDims, rowsOf } from './products.ts';
import everyBits from './shaders/network/sparseForward/everyBits.wgsl?raw';
import forwardAny from './shaders/network/sparseForward/sparseForwardAny.wgsl?raw';
import forwardFine from './shaders/network/sparseForward/sparseForwardFine.wgsl?raw';
import forwardWide from './shaders/network/sparseForward/sparseForwardWide.wgsl?raw';
import bitRuns from './shaders/network/sparseGradient/bitRuns.wgsl?raw';
import inSlices from './shaders/network/sparseGradient/inSlices.wgsl?raw';
import noLayer from './shaders/network/sparseGradient/noLayer.wgsl?raw';
import gradientAny from './shaders/network/sparseGradient/sparseGradientAny.wgsl?raw';
import gradientTiled from './shaders/network/sparseGradient/sparseGradientTiled.wgsl?raw';
import gradientWide from './shaders/network/sparseGradient/sparseGradientWide.wgsl?raw';

/** Where row r of replica s has its observation bits: see sparseForward.wgsl. */
export type BitRows = {
  readonly words: number;
  readonly B: number;
  readonly inner: number;
  readonly outerStride: number;
  readonly innerStride: number;
  readonly base: number;
};

/** The bits of all steps of a batch, or of one slot of every trajectory; those of a list are found through it. */
export function bitRowsOf(
  { B, T, obsWords }: Pick<NetworkBatch, 'B' | 'T' | 'obsWords'>,
  features: number,
  rows: Rows | RowList,
): BitRows {
  const isAll = !isSlot(rows);
  return {
    words: Math.ceil(features / 32),
    ...{ B, inner: isAll ? T : 1, outerStride: (T + 1) * obsWords, innerStride: isAll ? obsWords : 0 },
    base: isAll ? 0 : rows.slot * obsWords,
  };
}

/** The first layer: `inputs` counts features, rows have their bits where `g` says. */
const commonDims = (layer: Layer): Record<string, number> => {
  const { out, maxRows, size, weightAt, biasAt } = layer;
  return {
    ...{ ...rowDims(layer), out, maxRows, size, weightAt },
    biasAt: Math.max(0, biasAt),
    hasBias: biasAt < 0 ? 0 : 1,
  };
};

/** Where rows have their bits: see listedRows.ts. */
export const placesOf = (layer: Pick<Layer, 'live'>): readonly string[] => [
  rowsOf(layer),
  layer.live?.bits ?? everyBits,
];

/** `fine`: one row an invocation, of layers that are `wide`. */
export type BitForm = 'any' | 'wide' | 'fine';
/** `tiled`: through workgroup memory, of layers that are `wide`. */
export type BitGradientForm = 'any' | 'wide' | 'tiled';

/** Multiples of 4 are taken eight at a time. */
export const bitForm = ({ out, size, weightAt, biasAt }: Layer): 'any' | 'wide' =>
  [out, size, weightAt, Math.max(0, biasAt)].every((x) => x % 4 === 0) ? 'wide' : 'any';

/** The same for the forward product, where one that is too small to fill a device has more invocations. */
export function bitForwardForm(layer: Layer, { fineUpTo }: Tiles): BitForm {
  const form = bitForm(layer);
  return form === 'wide' && layer.S * blocksOf(layer.rows, layer.out) <= fineUpTo ? 'fine' : form;
}

/** Y = act(b + Σ W[f,:] over the set bits f), and Z before the activation where `keeps`. Bindings bits, theta, Y (, Z). */
export function bitForward(layer: Layer, g: BitRows, form: BitForm, act: Act, keeps: boolean): Call {
  const invocations = form === 'wide' ? blocksOf(layer.rows, layer.out) : layer.rows * Math.ceil(layer.out / 4);
  return {
    kernel: {
      id: `sparseForward.${form}`,
      wgsl: { any: forwardAny, wide: forwardWide, fine: forwardFine }[form],
      link: [...endOf(act, keeps), ...placesOf(layer)],
    },
    dims: { ...commonDims(layer), ...g },
    groups: [Math.ceil(invocations / 64), 1, layer.S],
  };
}

/** The form of the gradient, where tiles pay off at all: the invocations are as many, whatever the size. */
export function bitGradientForm(layer: Layer, { tiled }: Tiles): BitGradientForm {
  const form = bitForm(layer);
  return form === 'wide' && tiled ? 'tiled' : form;
}

/** Slices of dW and db of the first layer; `behind`: what workgroups behind its own have where it is `tiled`. Bindings bits, dY, partials. */
export function bitGradient(
  layer: Layer,
  g: BitRows,
  form: BitGradientForm,
  slices: number,
  behind: readonly string[] = [noLayer],
): Call {
  const words = g.words + (layer.biasAt < 0 ? 0 : 1);
  const fours = Math.ceil(layer.out / 4);
  // as many as a power of two covers
  const across = Math.min(16, 2 ** Math.ceil(Math.log2(fours)));
  const tiles = Math.ceil(words / (64 / across)) * Math.ceil(fours / across);
  const link = {
    any: [],
    wide: [bitRuns, inSlices],
    tiled: [bitRuns, inSlices, `const ACROSS = ${across}u;`, ...behind],
  }[form];
  return {
    kernel: {
      id: `sparseGradient.${form}`,
      wgsl: { any: gradientAny, wide: gradientWide, tiled: gradientTiled }[form],
      link: [...placesOf(layer), ...link],
    },
    dims: { ...commonDims(layer), ...g, features: layer.inputs, slices },
    groups: [form === 'tiled' ? tiles : Math.ceil((words * fours) / 64), slices, layer.S],
  };
}
