import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  weightGradient,
  type Layer,
} from '../../gpu/products.ts';
import type { Buffer, NetworkBatch } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { addSliceSum } from '../../gpu/norm.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { tune } from '../../gpu/tune.ts';
import type { Layout } from '../layout.ts';
import type { LayerShape } from './shape.ts';
import type { Level } from './tokenBuffers.ts';

/** What the layers of a transformer work with, whatever their rows are: sizes, where tensors begin, and arrays of all layers. */
export type Bench = {
  readonly gpu: Gpu;
  readonly shape: LayerShape;
  readonly layout: Layout;
  readonly at: Readonly<Record<string, number>>;
  /** does a ReLU come before each gate? */
  readonly hasReLU: boolean;
  readonly S: number;
  /** [S, stride] words that count the live rows of each level */
  readonly rows: Buffer;
  readonly stride: number;
  /** [S, slices, size] slices of the gradient, which all operations add to */
  readonly slices: number;
  readonly partials: Buffer;
  /** scratch of all rows: [3D], [2D], [D], [D] */
  readonly py: GPUBuffer;
  readonly px: GPUBuffer;
  readonly pg: GPUBuffer;
  readonly dA: GPUBuffer;
};

/** What a pass is recorded with, and the rows that its operations work on. */
export type Pass<B extends Bench = Bench> = {
  readonly list: CommandList;
  readonly b: B;
  readonly theta: Buffer;
  readonly level: Level;
};

/** The same pass over other rows. */
export const over = <B extends Bench>(pass: Pass<B>, level: Level): Pass<B> => ({ ...pass, level });

const size = (b: Bench): number => b.layout.size;

/** A kernel with one invocation per number of an array [level, width]. */
export function perNumber(
  { list, b, level }: Pass,
  kernel: Kernel,
  width: number,
  buffers: Readonly<Record<string, Buffer>>,
  dims: Readonly<Record<string, number>>,
): Promise<void> {
  const groups = Math.ceil(((level.most ?? level.max) * width) / 64);
  return list.add(kernel, { rows: b.rows, ...buffers }, { stride: b.stride, ...dims }, [groups, 1, b.S]);
}

/** Which rows are live and how far apart the replicas are. */
export const live = (level: Level): { which: number; maxRows: number } => ({ which: level.which, maxRows: level.max });

/** Names of the tensors of a dense layer. */
export type Tensors = { readonly weight: string; readonly bias?: string };

/** The dense layer with these tensors over the live rows of a level. */
function layerOf({ b, level }: Pass, { weight, bias }: Tensors): Layer {
  const { rows: inputs, cols: out } = tensor(b, weight);
  const { S, at, stride } = b;
  const offsets = { weightAt: at[weight]!, biasAt: bias === undefined ? -1 : at[bias]! };
  const live = { which: level.which, stride };
  return { S, rows: level.most ?? level.max, maxRows: level.max, inputs, out, size: size(b), ...offsets, live };
}

/** Y = X·W + b, then ReLU where it is asked for. */
export async function linear(pass: Pass, tensors: Tensors, X: Buffer, Y: Buffer, relu = false): Promise<void> {
  const { list, b, theta } = pass;
  const layer = layerOf(pass, tensors);
  const tiles = await tune(b.gpu);
  const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, tiles), relu ? 'relu' : 'none', false);
  await list.add(kernel, { rows: b.rows, X, theta, Y }, dims, groups);
}

type How = { readonly accumulate?: boolean; readonly mask?: Buffer | null };

/** dX (+)= dY·Wᵀ, 0 where `mask` is not positive; and the gradients of W and its bias, added up. */
export async function linearBackward(
  pass: Pass,
  tensors: Tensors,
  { X, dY, dX }: Readonly<Record<'X' | 'dY' | 'dX', Buffer>>,
  how: How = {},
): Promise<void> {
  await linearGradient(pass, tensors, { X, dY });
  await linearInput(pass, tensors, { dY, dX }, how);
}

/** The gradients of W and its bias, added up. */
export async function linearGradient(
  pass: Pass,
  tensors: Tensors,
  { X, dY }: Readonly<Record<'X' | 'dY', Buffer>>,
): Promise<void> {
  const { list, b } = pass;
  const layer = layerOf(pass, tensors);
  const tiles = await tune(b.gpu);
  const { rows, partials } = b;
  const W = weightGradient(layer, gradientForm(layer, tiles, b.slices), b.slices, true);
  await list.add(W.kernel, { rows, X, dY, partials }, W.dims, W.groups);
}

/** dX (+)= dY·Wᵀ, 0 where `mask` is not positive. */
export async function linearInput(
  pass: Pass,
  tensors: Tensors,
  { dY, dX }: Readonly<Record<'dY' | 'dX', Buffer>>,
  { accumulate = false, mask }: How = {},
): Promise<void> {
  const { list, b, theta } = pass;
  const layer = layerOf(pass, tensors);
  const tiles = await tune(b.gpu);
  const I = inputGradient(layer, backwardForm(layer, tiles), mask ? 'relu' : 'none', accumulate);
  await list.add(I.kernel, { rows: b.rows, dY, theta, dX, ...(mask ? { A: mask } : {}) }, I.dims, I.groups);
}

/** Y = layer norm of X with the tensors `name`gain and `name`bias. */
export function norm(
  pass: Pass,
  name: Norm,
  { X, Y, moments }: Readonly<Record<'X' | 'Y' | 'moments', Buffer>>,
): Promise<void> {
  const { b, theta, level } = pass;
  const { gain, bias } = normNames(name);
  const dims = { ...live(level), D: b.shape.width, size: size(b), gainAt: b.at[gain]!, biasAt: b.at[bias]! };
  return perNumber(pass, kernels.layerNorm, 1, { X, theta, Y, moments }, dims);
}

/** dX (+)= the backward pass of `norm`, and the gradients of its tensors. */
export async function normBackward(
  pass: Pass,
  name: Norm,
  { X, moments, dY, dX }: Readonly<Record<'X' | 'moments' | 'dY' | 'dX', Buffer>>,
  accumulate: boolean,
): Promise<void> {
  await normGradient(pass, name, { X, moments, dY });
  await normInput(pass, name, { X, moments, dY, dX }, accumulate);
}

const normDims = ({ b, level }: Pass, name: Norm): Record<string, number> => ({
  ...{ ...live(level), stride: b.stride, D: b.shape.width, size: size(b), gainAt: b.at[normNames(name).gain]! },
});

/** The gradients of the tensors of `norm`. */
export function normGradient(
  pass: Pass,
  name: Norm,
  { X, moments, dY }: Readonly<Record<'X' | 'moments' | 'dY', Buffer>>,
): Promise<void> {
  const { b, list } = pass;
  const { slices, rows, partials } = b;
  const dims = { ...normDims(pass, name), slices, biasAt: b.at[normNames(name).bias]! };
  const groups = [Math.ceil(b.shape.width / 64), slices, b.S] as const;
  return list.add(kernels.layerNormGradient, { rows, X, moments, dY, partials }, dims, groups);
}

/** dX (+)= the backward pass of `norm`. */
export async function normInput(
  pass: Pass,
  name: Norm,
  { X, moments, dY, dX }: Readonly<Record<'X' | 'moments' | 'dY' | 'dX', Buffer>>,
  accumulate: boolean,
): Promise<void> {
  const { theta } = pass;
  const dims = { ...normDims(pass, name), accumulate: accumulate ? 1 : 0 };
  await perNumber(pass, kernels.layerNormBackward, 1, { X, moments, theta, dY, dX }, dims);
}

/** A layer norm: first or second of a layer, or the last of the network. */
export type Norm = { readonly which: 1 | 2; readonly layer: number } | 'last';
function normNames(name: Norm): { gain: string; bias: string } {
  if (name === 'last') return { gain: 'lnfgain', bias: 'lnfbias' };
  return { gain: `ln${name.which}gain.${name.layer}`, bias: `ln${name.which}bias.${name.layer}` };
}

export function tensor(b: Pick<Bench, 'layout'>, name: string): { readonly rows: number; readonly cols: number } {
  return b.layout.tensors.find((t) => t.name === name)!;
}

/** Before the way back of the first rows: no slice has added anything. */
export async function addGradientStart(list: CommandList, { S, slices, layout, partials }: Bench): Promise<void> {
  const count = S * slices * layout.size;
  await list.add(kernels.fill, { x: partials }, { count, value: 0 }, [Math.ceil(count / 64)]);
}

/** After the way back of the last rows: gradient = the sum of the slices, with what the step wants to know of it. */
export async function addGradientEnd(
  list: CommandList,
  { S, slices, layout: { size }, partials }: Bench,
  { gradient, sums }: Pick<NetworkBatch, 'gradient' | 'sums'>,
): Promise<void> {
  await addSliceSum(list, [S, slices, size], { partials, gradient }, sums);
}
