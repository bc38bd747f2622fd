import type { Head, headOf } from './head.ts';
import type { Kernel } from './kernel.ts';
import type { Buffer, NetworkBatch, RowList, Rows } from './network.ts';
import dropZ from './shaders/network/activation/dropZ.wgsl?raw';
import keepZ from './shaders/network/activation/keepZ.wgsl?raw';
import layerAct from './shaders/network/activation/layerAct.wgsl?raw';
import noSlope from './shaders/network/activation/noSlope.wgsl?raw';
import slopeAt from './shaders/network/activation/slopeAt.wgsl?raw';
import backwardAny from './shaders/network/denseBackward/denseBackwardAny.wgsl?raw';
import backwardTiled from './shaders/network/denseBackward/denseBackwardTiled.wgsl?raw';
import backwardWide from './shaders/network/denseBackward/denseBackwardWide.wgsl?raw';
import columns from './shaders/network/denseForward/columns.wgsl?raw';
import fixedRows from './shaders/network/denseForward/fixedRows.wgsl?raw';
import floats from './shaders/network/denseForward/floats.wgsl?raw';
import forwardAny from './shaders/network/denseForward/denseForwardAny.wgsl?raw';
import forwardNarrow from './shaders/network/denseForward/denseForwardNarrow.wgsl?raw';
import forwardTiled from './shaders/network/denseForward/denseForwardTiled.wgsl?raw';
import forwardWide from './shaders/network/denseForward/denseForwardWide.wgsl?raw';
import liveRows from './shaders/network/denseForward/liveRows.wgsl?raw';
import part1 from './shaders/network/denseForward/part1.wgsl?raw';
import part2 from './shaders/network/denseForward/part2.wgsl?raw';
import part3 from './shaders/network/denseForward/part3.wgsl?raw';
import part4 from './shaders/network/denseForward/part4.wgsl?raw';
import fineTile from './shaders/network/denseForward/fineTile.wgsl?raw';
import tile from './shaders/network/denseForward/tile.wgsl?raw';
import gradientAny from './shaders/network/denseGradient/denseGradientAny.wgsl?raw';
import gradientTiled from './shaders/network/denseGradient/denseGradientTiled.wgsl?raw';
import gradientWide from './shaders/network/denseGradient/denseGradientWide.wgsl?raw';

/** A dense layer of all replicas. Offsets count floats of a replica's parameter vector; `biasAt` −1: no bias. */
export type Layer = {
  readonly S: number;
  readonly rows: number;
  /** rows between replicas */
  readonly maxRows: number;
  readonly inputs: number;
  readonly out: number;
  readonly size: number;
  readonly weightAt: number;
  readonly biasAt: number;
  /** fewer rows than `rows` count: word `which` of a replica's `stride` words says how many, `bits` where they have their observations. One more binding: rows */
  readonly live?: { readonly which: number; readonly stride: number; readonly bits?: string };
};

export type Act = 'tanh' | 'relu' | 'gelu' | 'none';
/** What a kernel is dispatched with. */
export type Call = {
  readonly kernel: Kernel;
  readonly dims: Readonly<Record<string, number>>;
  readonly groups: readonly [number, number, number];
};
export type Form = 'any' | 'narrow' | 'wide' | 'tiled' | 'fine';
/** Where workgroup memory is fast (tune.ts): for long sums, and for products of up to so many blocks of 8 × 8. */
export type Tiles = { readonly tiled: boolean; readonly fineUpTo: number };

const KIND = { tanh: 0, relu: 1, gelu: 2, none: 3 } as const;
export const actWith = (act: Act): string => `const KIND = ${KIND[act]}u;\n${layerAct}`;
/** What a forward product does with its sums: the activation, and whether what it was made from stays. */
export const endOf = (act: Act, keeps: boolean): readonly string[] => [actWith(act), keeps ? keepZ : dropZ];
/** The rows of a pass of a network. */
export type Over = Pick<Layer, 'S' | 'rows' | 'maxRows' | 'live'>;

export const isSlot = (rows: Rows | RowList): rows is { readonly slot: number } => rows !== 'all' && 'slot' in rows;
export const isList = (rows: Rows | RowList): rows is RowList => rows !== 'all' && 'rows' in rows;

export function overRows({ S, B, T }: Pick<NetworkBatch, 'S' | 'B' | 'T'>, rows: Rows | RowList): Over {
  const over = { S, maxRows: B * T };
  if (!isList(rows)) return { ...over, rows: rows === 'all' ? B * T : B };
  return { ...over, rows: rows.most, live: { which: 0, stride: rows.stride, bits: rows.bits } };
}
/** What kernels over the rows of a list are bound to besides. */
export const listOf = (rows: Rows | RowList): { readonly rows?: Buffer } => (isList(rows) ? { rows: rows.rows } : {});

/** Which rows count. */
export const rowsOf = ({ live }: Pick<Layer, 'live'>): string => (live ? liveRows : fixedRows);
export const rowDims = ({ rows, live }: Pick<Layer, 'rows' | 'live'>): { rows: number; stride: number } => ({
  rows: live?.which ?? rows,
  stride: live?.stride ?? 0,
});
const addsTo = (adds: boolean): string => `const ADDS = ${adds};`;
const up = (x: number, of: number): number => Math.ceil(x / of);
const inGroups = (invocations: number): number => up(invocations, 64);

/** Only the slope of gelu needs the numbers before the activation. */
export const keepsZ = (act: Act): boolean => act === 'gelu';

const isFour = ({ inputs, out, size, weightAt, biasAt }: Layer): boolean =>
  [inputs, out, size, weightAt, Math.max(0, biasAt)].every((x) => x % 4 === 0);

/** From this many steps of a sum on, tiles in workgroup memory pay off where they pay off at all. */
const DEEP = 192;

/** Sums shorter than that are not worth a way through workgroup memory. */
const SHORT = 16;

export const blocksOf = (rows: number, columns: number): number => up(rows, 8) * up(columns, 8);
/** Whether a product is so small that a device has more invocations than it has blocks. */
const isFine = ({ fineUpTo }: Tiles, blocks: number, steps: number): boolean => blocks <= fineUpTo && steps >= SHORT;

/** The form of a layer's forward product. */
export function forwardForm(layer: Layer, tiles: Tiles): Form {
  const { tiled } = tiles;
  if (isFine(tiles, layer.S * blocksOf(layer.rows, layer.out), layer.inputs)) return 'fine';
  if (tiled && layer.inputs >= DEEP && layer.out >= 32) return 'tiled';
  if (isFour(layer) && layer.out >= 8) return 'wide';
  return layer.inputs % 4 === 0 ? 'narrow' : 'any';
}
/** The same for the product that brings gradients back through a layer. */
export function backwardForm(layer: Layer, tiles: Tiles): Form {
  const { tiled } = tiles;
  if (isFine(tiles, layer.S * blocksOf(layer.rows, layer.inputs), layer.out)) return 'fine';
  if (tiled && layer.out >= DEEP && layer.inputs >= 32) return 'tiled';
  return isFour(layer) ? 'wide' : 'any';
}
/** The same for the gradient of a layer, in slices of its rows. */
export function gradientForm(layer: Layer, tiles: Tiles, slices: number): Form {
  const { tiled } = tiles;
  const blocks = layer.S * slices * blocksOf(layer.inputs + 1, layer.out);
  if (isFine(tiles, blocks, layer.rows / slices)) return 'fine';
  if (tiled && layer.inputs >= 32 && layer.out >= 32) return 'tiled';
  return isFour(layer) && layer.inputs >= 8 && layer.out >= 8 ? 'wide' : 'any';
}

/** Columns of one invocation where `out` need not be a multiple of 4: at most 8, shared out evenly. */
function columnsOf(out: number): { readonly width: number; readonly link: readonly string[] } {
  const width = up(out, up(out, 8));
  const full = width > 4 ? 4 : 0;
  return { width, link: [`const FULL = ${full}u;`, [part1, part2, part3, part4][width - full - 1]!, columns] };
}

/** How a product goes through workgroup memory: the tiles of so many rows and columns of C. */
export function tilesOf(form: Form, rows: number, columns: number) {
  if (form !== 'fine') return { wgsl: tile, link: [], count: up(rows, 64) * up(columns, 64) };
  const across = columns > 8 ? 4 : columns > 4 ? 2 : 1;
  const count = up(rows, 64 / across) * up(columns, 4 * across);
  return { wgsl: fineTile, link: [`const ACROSS = ${across}u;`], count };
}

const isTiled = (form: Form): boolean => form === 'tiled' || form === 'fine';

/** Y = act(X·W + b), and Z = X·W + b where `keeps`. Bindings X, theta, Y (, Z). */
export function forwardProduct(layer: Layer, form: Form, act: Act, keeps: boolean): Call {
  const { S, rows, maxRows, inputs, out, size, weightAt, biasAt } = layer;
  const tiles = tilesOf(form, rows, out);
  const wgsl = { any: forwardAny, narrow: forwardNarrow, wide: forwardWide, tiled: tiles.wgsl, fine: tiles.wgsl }[form];
  const { width, link: odd } = columnsOf(out);
  const meaning = isTiled(form) ? [forwardTiled, ...tiles.link] : form === 'wide' ? [floats] : odd;
  const link = [...endOf(act, keeps), rowsOf(layer), ...meaning];
  const groups = {
    any: inGroups(up(rows, 8) * up(out, width)),
    narrow: inGroups(up(rows, 8) * up(out, width)),
    wide: inGroups(blocksOf(rows, out)),
    tiled: tiles.count,
    fine: tiles.count,
  }[form];
  return {
    kernel: { id: `denseForward.${form}`, wgsl, link },
    dims: {
      ...{ ...rowDims(layer), inputs, out, maxRows, size, weightAt },
      biasAt: Math.max(0, biasAt),
      hasBias: biasAt < 0 ? 0 : 1,
    },
    groups: [groups, 1, S],
  };
}

/**
 * dX = (dY·Wᵀ) ⊙ act′, with the activation that made the inputs of the layer. Bindings dY, theta, dX, and A where there is
 * an activation: what it made, or for gelu what it was made from. `adds`: to what dX holds, before the slope.
 */
export function inputGradient(layer: Layer, form: Form, act: Act, adds = false): Call {
  const { S, rows, maxRows, inputs, out, size, weightAt } = layer;
  const tiles = tilesOf(form, rows, inputs);
  const wgsl = isTiled(form) ? tiles.wgsl : form === 'wide' ? backwardWide : backwardAny;
  const link = [
    addsTo(adds),
    rowsOf(layer),
    ...(act === 'none' ? [noSlope] : [actWith(act), slopeAt]),
    ...(isTiled(form) ? [backwardTiled, ...tiles.link] : []),
  ];
  const groups = { 4: inGroups(up(rows, 4) * up(inputs, 4)), 8: inGroups(blocksOf(rows, inputs)) };
  return {
    kernel: { id: `denseBackward.${form}`, wgsl, link },
    dims: { ...rowDims(layer), inputs, out, maxRows, size, weightAt },
    groups: [isTiled(form) ? tiles.count : groups[form === 'wide' ? 8 : 4], 1, S],
  };
}

/** Slices of the gradients dW = Xᵀ·dY and db = Σ dY into partials [S, slices, size], or `adds` them. Bindings X, dY, partials. */
export function weightGradient(layer: Layer, form: Form, slices: number, adds = false): Call {
  const { S, maxRows, inputs, out, size, weightAt, biasAt } = layer;
  const hasBias = biasAt < 0 ? 0 : 1;
  const tiles = tilesOf(form, inputs + hasBias, out);
  const wgsl = isTiled(form) ? tiles.wgsl : form === 'wide' ? gradientWide : gradientAny;
  const small = inGroups(up(inputs + hasBias, 4) * up(out, 4));
  const wide = inGroups(blocksOf(inputs, out));
  return {
    kernel: {
      id: `denseGradient.${form}`,
      wgsl,
      link: [addsTo(adds), rowsOf(layer), ...(isTiled(form) ? [gradientTiled, ...tiles.link] : [])],
    },
    dims: { ...rowDims(layer), inputs, out, maxRows, slices, size, weightAt, biasAt: Math.max(0, biasAt), hasBias },
    groups: [isTiled(form) ? tiles.count : form === 'wide' ? wide : small, slices, S],
  };
}

/** A last layer that is done with the objective, see head.ts, which is loaded only where tiles are fast. */
export const headOver = async (...given: Parameters<typeof headOf>): Promise<Head | null> =>
  given[2].tiles.fineUpTo > 0 ? (await import('./head.ts')).headOf(...given) : null;
