import {
  backwardForm,
  forwardForm,
  forwardProduct,
  gradientForm,
  inputGradient,
  weightGradient,
  type Layer,
} from '../../gpu/products.ts';
import type { Buffer } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import type { Kernel } from '../../gpu/kernel.ts';
import { tune } from '../../gpu/tune.ts';
import type { Level, TokenBuffers } from './tokenBuffers.ts';

/** What a pass over a chunk is recorded with, and the rows that its operations work on. */
export type Pass = {
  readonly list: CommandList;
  readonly b: TokenBuffers;
  readonly theta: Buffer;
  readonly level: Level;
};

/** The same pass over other rows. */
export const over = (pass: Pass, level: Level): Pass => ({ ...pass, level });

const size = (b: TokenBuffers): number => b.layout.size;

/** A kernel with one invocation per number of an array [level, width]. */
export function perNumber(
  { list, b, level }: Pass,
  kernel: Kernel,
  width: number,
  buffers: Readonly<Record<string, Buffer>>,
  dims: Readonly<Record<string, number>>,
): Promise<void> {
  const groups = Math.ceil((level.max * width) / 64);
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
  return { S, rows: level.max, maxRows: level.max, inputs, out, size: size(b), ...offsets, live };
}

/** Y = X·W + b, then ReLU where it is asked for. */
export async function linear(pass: Pass, tensors: Tensors, X: Buffer, Y: Buffer, relu = false): Promise<void> {
  const { list, b, theta } = pass;
  const layer = layerOf(pass, tensors);
  const { tiled } = await tune(b.gpu);
  const { kernel, dims, groups } = forwardProduct(layer, forwardForm(layer, tiled), relu ? 'relu' : 'none', false);
  await list.add(kernel, { rows: b.rows, X, theta, Y }, dims, groups);
}

/** dX (+)= dY·Wᵀ, 0 where `mask` is not positive; and the gradients of W and its bias, added up. */
export async function linearBackward(
  pass: Pass,
  tensors: Tensors,
  { X, dY, dX }: Readonly<Record<'X' | 'dY' | 'dX', Buffer>>,
  how: { readonly accumulate?: boolean; readonly mask?: Buffer | null } = {},
): Promise<void> {
  const { list, b, theta } = pass;
  const layer = layerOf(pass, tensors);
  const { tiled } = await tune(b.gpu);
  const { rows, partials } = b;
  const W = weightGradient(layer, gradientForm(layer, tiled), b.slices, true);
  await list.add(W.kernel, { rows, X, dY, partials }, W.dims, W.groups);
  const { mask } = how;
  const I = inputGradient(layer, backwardForm(layer, tiled), mask ? 'relu' : 'none', how.accumulate ?? false);
  await list.add(I.kernel, { rows, dY, theta, dX, ...(mask ? { A: mask } : {}) }, I.dims, I.groups);
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
  const { b, theta, list, level } = pass;
  const { gain, bias } = normNames(name);
  const D = b.shape.width;
  const common = { ...live(level), stride: b.stride, D, size: size(b), gainAt: b.at[gain]! };
  const groups = [Math.ceil(D / 64), b.slices, b.S] as const;
  await list.add(
    kernels.layerNormGradient,
    { rows: b.rows, X, moments, dY, partials: b.partials },
    { ...common, slices: b.slices, biasAt: b.at[bias]! },
    groups,
  );
  const dims = { ...common, accumulate: accumulate ? 1 : 0 };
  await perNumber(pass, kernels.layerNormBackward, 1, { X, moments, theta, dY, dX }, dims);
}

/** A layer norm: first or second of a layer, or the last of the network. */
export type Norm = { readonly which: 1 | 2; readonly layer: number } | 'last';
function normNames(name: Norm): { gain: string; bias: string } {
  if (name === 'last') return { gain: 'lnfgain', bias: 'lnfbias' };
  return { gain: `ln${name.which}gain.${name.layer}`, bias: `ln${name.which}bias.${name.layer}` };
}

export function tensor(b: TokenBuffers, name: string): { readonly rows: number; readonly cols: number } {
  return b.layout.tensors.find((t) => t.name === name)!;
}
